import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { CLIENTS, readRecordings } from './clients.ts';
import { createClientProject, withProject } from './project.ts';
import { byMessage, storedDeploys, storedEvents } from './stored.ts';

const execute = promisify(execFile);
const ROOT = new URL('../../../', import.meta.url);

describe('the requests of clients, as `npm run test:clients` recorded them', async () => {
  // In the order of time: a signature is valid for five minutes, and a clock that differs by an hour corrects the times.
  const recordings = (await readRecordings()).toSorted((one, other) =>
    one.recordedAt < other.recordedAt ? -1 : 1,
  );
  const clock = new StillClock(Date.parse(recordings[0]?.recordedAt ?? ''));
  const service = await startTestService({ clock });
  const user = await service.signUp();
  const documented = await readFile(new URL('docs/integrations.md', ROOT), 'utf8');
  const snippets = [...documented.matchAll(/```(?:js|py|sh)\n(.*?)```/gs)].map(([, snippet = '']) => snippet);

  it('replays a recording of each client', () => {
    expect(recordings.map(({ client }) => client).toSorted()).toEqual(
      CLIENTS.map(({ name }) => name).toSorted(),
    );
  });

  it.each(recordings.map((recording) => [recording.client, recording] as const))(
    'stores the events of %s',
    async (name, { requests, recordedAt }) => {
      clock.advance(Math.max(0, Date.parse(recordedAt) + 60_000 - clock.now()));
      const client = CLIENTS.find((entry) => entry.name === name);
      const { events = [], deploys = [] } = client ?? {};
      const project = await createClientProject(user, client ?? {});
      for (const { method, path, headers, body, status } of requests) {
        const isManagement = path.startsWith('/api/0/');
        const api = new ApiClient(isManagement ? service.managementUrl : service.ingestionUrl);
        const sent = Object.entries(headers).map(([header, value]) => [header, withProject(value, project)]);
        const bytes = Buffer.from(
          withProject(Buffer.from(body, 'base64').toString('latin1'), project),
          'latin1',
        );
        const answer = await api.request(method, withProject(path, project), {
          headers: Object.fromEntries(sent),
          ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
        });
        expect(answer.status).toBe(status);
        expect(status).toBeLessThan(300);
      }
      const stored = await storedEvents(user, project.id, events.length);
      expect(stored).toMatchObject(events.toSorted(byMessage));
      expect(stored.flatMap(({ changed }) => changed)).toEqual([]);
      expect(await storedDeploys(user, project.id, deploys.length)).toMatchObject(deploys);
    },
  );

  it('runs the commands that docs/integrations.md shows for pings', async () => {
    const { id } = await user.createProject();
    const key = (await user.api.post(`/projects/${id}/api-keys`, { use: 'ping' })).body;
    const path = `/projects/${id}/schedules`;
    const { pingUrl } = (await user.api.post(path, { slug: 'sync', intervalSeconds: 3_600 })).body;
    const commands = snippets.filter((snippet) => snippet.startsWith('curl'));
    for (const command of commands)
      await execute('sh', [
        '-c',
        command
          .replace('http://localhost:4100', service.ingestionUrl)
          .replace('tsn_pkey_…', key.rawKey)
          .replace('tsn_ping_…', String(pingUrl).replace(/.*\//, '')),
      ]);
    const { body } = await user.api.get(path);
    expect(body.map(({ lastStatus }: { lastStatus: string }) => lastStatus)).toEqual(
      commands.map(() => 'ok'),
    );
  });

  it('shows in docs/integrations.md only other programs that a client runs', async () => {
    const files = (await readdir(new URL('clients/', ROOT), { recursive: true })).filter((file) =>
      /\.(mjs|py|sh)$/.test(file),
    );
    const programs = await Promise.all(
      files.map((file) => readFile(new URL(`clients/${file}`, ROOT), 'utf8')),
    );
    // `run-clients.ts` sets the variables.
    const others = snippets.filter((snippet) => !/^(curl.*\n|(\w+=\S+\n)+)$/.test(snippet));
    expect(others.length).toBeGreaterThan(0);
    for (const snippet of others)
      expect(
        programs.some((program) => program.includes(snippet)),
        snippet,
      ).toBe(true);
  });
});
