import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { CLIENTS, readRecordings } from './clients.ts';
import { byMessage, storedEvents } from './stored.ts';

describe('the requests of clients, as `npm run test:clients` recorded them', async () => {
  const recordings = await readRecordings();
  const newest = Math.max(...recordings.map(({ recordedAt }) => Date.parse(recordedAt)));
  const service = await startTestService({ clock: new StillClock(newest + 60_000) });
  const user = await service.signUp();

  it('replays a recording of each client', () => {
    expect(recordings.map(({ client }) => client)).toEqual(CLIENTS.map(({ name }) => name).toSorted());
  });

  it.each(recordings.map((recording) => [recording.client, recording] as const))(
    'stores the events of %s',
    async (name, { requests }) => {
      const { events = [] } = CLIENTS.find((client) => client.name === name) ?? {};
      const { id, apiKey, ingest } = await user.createProject();
      const { number } = (await user.api.get(`/projects/${id}`)).body;
      for (const { method, path, headers, body } of requests) {
        const bytes = new Uint8Array(Buffer.from(body, 'base64'));
        const address = path.replace('{key}', apiKey).replace('{number}', number);
        expect((await ingest.request(method, address, { headers, body: bytes })).status).toBe(200);
      }
      const stored = await storedEvents(user, id, events.length);
      expect(stored).toMatchObject(events.toSorted(byMessage));
      expect(stored.flatMap(({ changed }) => changed)).toEqual([]);
    },
  );

  it('shows in docs/integrations.md only JavaScript that a client runs', async () => {
    const root = new URL('../../../', import.meta.url);
    const documented = await readFile(new URL('docs/integrations.md', root), 'utf8');
    const files = (await readdir(new URL('clients/', root), { recursive: true })).filter((file) =>
      file.endsWith('.mjs'),
    );
    const programs = await Promise.all(
      files.map((file) => readFile(new URL(`clients/${file}`, root), 'utf8')),
    );
    const snippets = [...documented.matchAll(/```js\n(.*?)```/gs)].map(([, snippet = '']) => snippet);
    expect(snippets.length).toBeGreaterThan(0);
    for (const snippet of snippets)
      expect(
        programs.some((program) => program.includes(snippet)),
        snippet,
      ).toBe(true);
  });
});
