import { expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { Restart } from './restart.ts';

it('goes on, and records why, where the system starts no further process', async () => {
  const recorded: [number, string | null][] = [];
  const restart = new Restart({
    command: [process.execPath],
    environment: {},
    listSockets: () => [{ fd: 1_000_000, name: 'PORT' }],
    keeper: null,
    log: createLog('silent'),
    record: async (pid, problem) => void recorded.push([pid, problem]),
  });
  await restart.allow();
  await restart.request();
  await restart.request();
  const failed = [process.pid, expect.stringContaining('EBADF')];
  expect(recorded).toEqual([[process.pid, null], failed, failed]);
});
