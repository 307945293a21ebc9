import { expect, it } from 'vitest';
import { awaitRestart } from './await-restart.ts';
import type { ServiceFile } from './service-file.ts';

const before: ServiceFile = { pid: 7, servingPid: 7, at: 'start', problem: null, isRestarting: false };
const MINUTE_MS = 60_000;

/** Awaits a restart of a service with a state and a life by the time since it was asked. */
const restarted = (
  stateAt: (waitedMs: number) => Partial<ServiceFile>,
  isRunningAt = (_waitedMs: number) => true,
) => {
  let waitedMs = 0;
  return awaitRestart({
    before,
    readFile: async () => ({ ...before, ...stateAt(waitedMs) }),
    isRunning: async () => isRunningAt(waitedMs),
    wait: async () => (waitedMs += 1_000),
  });
};
const begun = { at: 'begun', isRestarting: true };
const over = { at: 'over', servingPid: 8 };

it('waits for the end of a restart as long as a new process may take', async () => {
  const state = restarted((waitedMs) => (waitedMs < 30 * MINUTE_MS ? begun : over));
  expect(await state).toMatchObject(over);
});

it('does not wait for a restart that does not begin, and says what to do', async () => {
  await expect(restarted(() => ({}))).rejects.toThrow(
    'No restart began within 30 seconds, and the service goes on: read the log of process 7, then run the command again.',
  );
});

it('does not wait longer than the service itself for a restart that does not end', async () => {
  await expect(restarted(() => begun)).rejects.toThrow(
    'The restart is not over after 31 minutes: read the log of process 7, then stop and start the service.',
  );
});

it('reports a service that ends during its restart', async () => {
  await expect(
    restarted(
      () => begun,
      (waitedMs) => waitedMs < MINUTE_MS,
    ),
  ).rejects.toThrow('The service has ended.');
});
