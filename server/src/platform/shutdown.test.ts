import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from './log.ts';
import { SHUTDOWN_ORDER, type Stoppable, shutDown } from './shutdown.ts';

const log = createLog('silent');

describe('the shutdown', () => {
  it('goes: stop accepting, finish requests, drain intake, finish the batch, sockets, pool, database', async () => {
    const steps: string[] = [];
    const part = (name: string): Stoppable =>
      Object.fromEntries(
        SHUTDOWN_ORDER.map((step) => [step, async () => void steps.push(`${step} ${name}`)]),
      );
    expect(await shutDown([part('a'), {}, part('b')], log)).toBe(true);
    expect(steps).toEqual(
      [
        'stopAccepting',
        'finishRequests',
        'drainIntake',
        'finishBatch',
        'closeSockets',
        'endPool',
        'stopDatabase',
      ].flatMap((step) => [`${step} a`, `${step} b`]),
    );
  });

  it('begins a step when the one before has ended for all parts', async () => {
    const steps: string[] = [];
    const parts: Stoppable[] = [
      {
        drainIntake: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          steps.push('drained');
        },
      },
      { finishBatch: async () => void steps.push('finished') },
    ];
    await shutDown(parts, log);
    expect(steps).toEqual(['drained', 'finished']);
  });

  it('continues the shutdown after a failed step, and reports that it was not clean', async () => {
    const steps: string[] = [];
    const parts: Stoppable[] = [
      { stopAccepting: () => Promise.reject(new Error('no')), endPool: async () => void steps.push('pool') },
    ];
    expect(await shutDown(parts, log)).toBe(false);
    expect(steps).toEqual(['pool']);
  });

  it('continues the shutdown after a step that never ends', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const steps: string[] = [];
    const parts: Stoppable[] = [
      { finishRequests: () => new Promise(() => {}), endPool: async () => void steps.push('pool') },
    ];
    const stopped = shutDown(parts, log);
    await vi.runAllTimersAsync();
    expect(await stopped).toBe(false);
    expect(steps).toEqual(['pool']);
  });
});
