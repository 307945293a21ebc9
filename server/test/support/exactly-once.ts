import { expect } from 'vitest';
import { ApiClient, readAll } from './client.ts';
import type { RunningProgram } from './program.ts';
import { waitFor } from './wait.ts';

/** Signs up the first user of a program, with a project. */
export async function signUpAt({ managementUrl }: RunningProgram) {
  const api = new ApiClient(managementUrl);
  await api.post('/auth/signup', { name: 'Ada', email: 'ada@example.com', password: 'a long password' });
  const { body } = await api.post('/projects', { name: 'Shop' });
  return { api, project: body as { id: string; apiKey: string } };
}

/** Returns a client with a session that began at another process. */
export function clientOf({ managementUrl }: RunningProgram, cookie: string | null): ApiClient {
  const api = new ApiClient(managementUrl);
  api.cookie = cookie;
  return api;
}

/**
 * Compares what is stored with what was acknowledged: all of it is there, nothing twice, and the ledger agrees.
 * @returns the number of events, acknowledged or not
 */
export async function expectExactlyOnce(
  program: RunningProgram,
  { cookie }: ApiClient,
  projectId: string,
  jobIds: string[],
): Promise<number> {
  const api = clientOf(program, cookie);
  const ledger = await waitFor('the queue to be empty', async () => {
    const { body } = await api.get(`/projects/${projectId}/ledger`);
    return body.queued === 0 && body;
  });
  const listed: string[] = (await readAll(api, `/events?project_id=${projectId}&limit=500`)).map(
    ({ id }) => id,
  );
  expect(new Set(listed).size).toBe(listed.length);
  const eventIds = new Set(listed);
  expect(jobIds.filter((jobId) => !eventIds.has(jobId.replace('job_', 'evt_')))).toEqual([]);
  expect(ledger).toMatchObject({ accepted: listed.length, stored: listed.length, dead: 0, dropped: 0 });
  return listed.length;
}
