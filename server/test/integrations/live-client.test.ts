import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { toDsn } from '../../src/tenancy/dsn.ts';
import { startTestService } from '../support/service.ts';
import { CLIENTS } from './clients.ts';
import { createClientProject } from './project.ts';
import { byMessage, storedEvents } from './stored.ts';

const execute = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('../../../clients/sentry/report.mjs', import.meta.url));

describe('a client of Sentry as it is published', async () => {
  const service = await startTestService();
  const user = await service.signUp();

  it('reports errors and messages once its DSN is changed, and each is a group', async () => {
    const events = CLIENTS.find(({ name }) => name === 'sentry-node-7')?.events ?? [];
    const { id, apiKey, number } = await createClientProject(user, {});
    const dsn = toDsn(service.ingestionUrl, apiKey, number);
    await execute(process.execPath, [PROGRAM, '@sentry/node'], { env: { SENTRY_DSN: dsn } });
    expect(await storedEvents(user, id, events.length)).toMatchObject(events.toSorted(byMessage));
    expect((await user.api.get(`/groups?project_id=${id}`)).body).toHaveLength(events.length);
  });
});
