import { rm } from 'node:fs/promises';
import path from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { BUILD_TIMEOUT_MS, buildServer, startProgram } from '../support/program.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';

describe('the built program', () => {
  let directory: string;
  beforeAll(async () => {
    await buildServer();
    directory = await makeScratchDirectory();
  }, BUILD_TIMEOUT_MS);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('computes previews in their own thread', { timeout: scaled(120_000) }, async () => {
    const program = await startProgram(path.join(directory, 'data'));
    try {
      const api = new ApiClient(program.managementUrl);
      await api.post('/auth/signup', { name: 'Ada', email: 'ada@example.com', password: 'a long password' });
      const { body: project } = await api.post('/projects', { name: 'Shop' });
      const ingest = new ApiClient(program.ingestionUrl, { 'X-API-Key': project.apiKey });
      const capturedAt = new Date(Date.now() - 10 * 60_000).toISOString();
      const event = { type: 'outage', severity: 'CRITICAL', message: 'Down', capturedAt };
      expect((await ingest.post('/ingest/events', event)).status).toBe(202);
      const incidents = await waitFor('the event to be in a preview', async () => {
        const { status, body } = await api.get(`/projects/${project.id}/risk/preview?days=1`);
        expect(status).toBe(200);
        return body.incidents.length > 0 && body.incidents;
      });
      expect(incidents).toMatchObject([{ rule: 'at_least', series: { severity: 'critical' } }]);
    } finally {
      program.signal('SIGTERM');
      await program.ended;
    }
  });
});
