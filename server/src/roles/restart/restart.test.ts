import { expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { Restart, type RestartState } from './restart.ts';

it('goes on, and records why, where the system starts no further process', async () => {
  const recorded: [RestartState['problem'], boolean][] = [];
  const restart = new Restart({
    command: [process.execPath],
    environment: {},
    listSockets: () => [{ fd: 1_000_000, name: 'PORT' }],
    keeper: null,
    log: createLog('silent'),
    record: async ({ problem, isRestarting }) => void recorded.push([problem, isRestarting]),
  });
  await restart.allow();
  await restart.request();
  await restart.request();
  const failed = [expect.stringContaining('EBADF'), false];
  expect(recorded).toEqual([[null, false], failed, failed]);
});
