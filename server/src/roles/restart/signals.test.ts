import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { followSignals } from './signals.ts';

function follow(isInTerminal: boolean) {
  const onRestart = vi.fn();
  const signals = followSignals(createLog('silent'), onRestart, isInTerminal);
  onTestFinished(signals.stopFollowing);
  return { ...signals, onRestart };
}

it('restarts at SIGHUP and SIGUSR2, and in another way once that is set', async () => {
  const { ended, end, onRestart, passOnRestarts } = follow(false);
  process.emit('SIGHUP', 'SIGHUP');
  process.emit('SIGUSR2', 'SIGUSR2');
  expect(onRestart).toHaveBeenCalledTimes(2);
  const next = vi.fn();
  passOnRestarts(next);
  process.emit('SIGHUP', 'SIGHUP');
  expect([onRestart, next].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  end(3);
  expect(await ended).toBe(3);
});

it('ends at SIGHUP in a terminal, which was closed', async () => {
  const { ended, onRestart } = follow(true);
  process.emit('SIGHUP', 'SIGHUP');
  expect(await ended).toBe(0);
  expect(onRestart).not.toHaveBeenCalled();
});
