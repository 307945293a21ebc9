import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { anEvent } from './support.ts';

const ROUNDS = rounds(20, 100);
const SENDERS = 16;

describe('a revoked key', async () => {
  const service = await startTestService({ own: true });
  const second = await startTestService({ roles: ['ingestion'], database: service.database });
  const urls = [service.ingestionUrl, second.ingestionUrl];
  const user = await service.signUp();
  const project = await user.createProject();
  const send = async (url: string, key: string) => {
    const answer = await new ApiClient(url).post('/ingest/events', anEvent(), {
      headers: { 'x-api-key': key },
    });
    return answer.status;
  };

  it(
    'refuses a revoked key in every process from the first request after the answer on, under load',
    async () => {
      /** The keys of the load: another project's key, and that of the round, revoked or not. */
      const others = [project.apiKey, (await user.createProject()).apiKey];
      let current = project.apiKey;
      const revoked = new Set<string>();
      const acceptedLate: string[] = [];
      const unexpected: number[] = [];
      let running = true;

      const load = Array.from({ length: SENDERS }, async (_, sender) => {
        while (running) {
          const key = (sender % 2 === 0 ? others[sender % 4 === 0 ? 0 : 1] : current) ?? '';
          const wasRevoked = revoked.has(key);
          const status = await send(urls[sender % 3 === 0 ? 0 : 1] ?? '', key);
          if (wasRevoked && status === 202) acceptedLate.push(key);
          if (status !== 202 && status !== 401) unexpected.push(status);
        }
      });

      const firstAnswers: number[][] = [];
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const { body } = await user.api.post(`/projects/${project.id}/api-keys`);
          current = body.rawKey;
          const before = await Promise.all(urls.map((url) => send(url, body.rawKey)));
          expect(before).toEqual([202, 202]);
          expect((await user.api.delete(`/api-keys/${body.id}`)).status).toBe(204);
          revoked.add(body.rawKey);
          firstAnswers.push(await Promise.all(urls.map((url) => send(url, body.rawKey))));
        }
      } finally {
        // A failure above must not leave the load running into the tests that follow.
        running = false;
        await Promise.all(load);
      }

      expect(firstAnswers).toEqual(Array.from({ length: ROUNDS }, () => [401, 401]));
      expect({ acceptedLate, unexpected }).toEqual({ acceptedLate: [], unexpected: [] });
    },
    scaled(120_000),
  );

  it('removes a revoked key from the list, and refuses to revoke it again', async () => {
    const { body } = await user.api.post(`/projects/${project.id}/api-keys`, { name: 'CI' });
    await user.api.delete(`/api-keys/${body.id}`);
    const listed = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
    expect(listed.map((key: { name: string }) => key.name)).toEqual(['Default']);
    expect((await user.api.delete(`/api-keys/${body.id}`)).status).toBe(404);
  });

  it('keeps the events of a revoked key', async () => {
    const { id, apiKey, ingest } = await user.createProject();
    expect((await ingest.post('/ingest/events', anEvent())).status).toBe(202);
    const [key] = (await user.api.get(`/projects/${id}/api-keys`)).body;
    await user.api.delete(`/api-keys/${key.id}`);
    expect(await send(service.ingestionUrl, apiKey)).toBe(401);
    await service.settled();
    expect((await user.api.get(`/events?project_id=${id}`)).body).toHaveLength(1);
  });
});
