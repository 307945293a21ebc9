import { afterAll, describe, expect, it } from 'vitest';
import type { ApiClient } from './support/client.ts';
import { createDataDirectory } from './support/data-directory.ts';
import { clientOf, expectExactlyOnce, signUpAt } from './support/exactly-once.ts';
import { startLoad } from './support/load.ts';
import { buildServer, type RunningProgram, startProgram } from './support/program.ts';
import { rounds } from './support/test-length.ts';
import { scaled } from './support/time-scale.ts';
import { waitFor } from './support/wait.ts';

const SENDERS = 32;
const ENOUGH_EVENTS = rounds(1_000, 3_000);
const TEST_TIMEOUT_MS = scaled(180_000);

describe('the program under load', async () => {
  await buildServer();
  const dataDirectory = await createDataDirectory();
  /** The last one that was started. The second test goes on with the one that the first has left. */
  let running: RunningProgram | undefined;
  let cookie: string | null = null;

  const start = async () => (running = await startProgram(dataDirectory));
  afterAll(async () => {
    running?.signal('SIGTERM');
    await running?.ended;
  });

  const startUnderLoad = async () => {
    const program = running ?? (await start());
    cookie ??= (await signUpAt(program)).api.cookie;
    const api = clientOf(program, cookie);
    const { body: project } = await api.post('/projects', { name: 'Load' });
    const load = startLoad(program.ingestionUrl, project.apiKey, SENDERS);
    await load.reached(ENOUGH_EVENTS);
    return { program, api, project, load };
  };

  it(
    'stores every acknowledged event exactly once after its process group was killed under load',
    async () => {
      const { program, api, project, load } = await startUnderLoad();
      program.signal('SIGKILL');
      expect(await program.ended).toBeNull();
      await load.stop();
      expect(load.unexpected).toEqual([]);
      await expectExactlyOnce(await start(), api, project.id, load.jobIds);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'stops cleanly on SIGTERM: no request under way is cut, and nothing that was acknowledged is lost',
    async () => {
      const { program, api, project, load } = await startUnderLoad();
      program.signal('SIGTERM');
      let exit: { code: number | null } | null = null;
      void program.ended.then((code) => (exit = { code }));
      expect(await waitFor('an end within 10 s', () => exit, 10_000)).toEqual({ code: 0 });
      await waitFor('a failed request of the load', () => load.failures.length > 0);
      await load.stop();
      expect(load.unexpected).toEqual([]);
      // A sender may see a connection refused before it sent the request, but not one cut afterwards.
      expect(new Set(load.failures)).toEqual(new Set(['ECONNREFUSED']));

      const again = await start();
      const stored = await expectExactlyOnce(again, api, project.id, load.jobIds);
      // And every stored event was acknowledged.
      expect(stored).toBe(load.jobIds.length);
      expect(await countRequests(clientOf(again, cookie), project.id)).toBe(load.requests);
    },
    TEST_TIMEOUT_MS,
  );
});

/** Counts the accepted requests of a project, those of a process that has ended included. */
async function countRequests(api: ApiClient, projectId: string): Promise<number> {
  const { keys }: { keys: { accepted: number }[] } = (await api.get(`/projects/${projectId}/requests`)).body;
  return keys.reduce((sum, { accepted }) => sum + accepted, 0);
}
