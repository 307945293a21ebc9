import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ReadingQueue } from './reading-queue.ts';

const LIMITS = { maxRunning: 1, maxWaiting: 4, maxWaitingBytes: 100, maxShare: 1 / 2 };
const POLL_MS = 1;

/** Fills the share of project `a`: one body is read, and two wait. */
function startFull() {
  const queue = new ReadingQueue(LIMITS, POLL_MS);
  const ends: (() => void)[] = [];
  const run = (key: string, leftMs: number, bytes = 1) =>
    queue.run({ key, bytes, patience: { leftMs } }, () => new Promise<void>((resolve) => ends.push(resolve)));
  const first = [run('a', 0), run('a', 0), run('a', 0)];
  /** Ends what is read for as long as anything is. */
  const endAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.();
      await nextTurn();
    }
  };
  return { queue, run, endAll, first };
}

describe('a queue of bodies to be read', () => {
  it('lets a body wait for a place that a project over its share has not, and then reads it', async () => {
    const { run, endAll, first } = startFull();
    let isRead = false;
    const patient = run('a', 1_000_000).then(() => (isRead = true));
    await nextTurn();
    await endAll();
    await Promise.all(first);
    while (!isRead) {
      await nextTurn();
      await endAll();
    }
    await patient;
  });

  it('refuses a body once its patience has ended, and another project waits for nothing', async () => {
    const { run, endAll } = startFull();
    await expect(run('a', 3)).rejects.toMatchObject({ code: 'project_over_share' });
    await expect(run('a', 0)).rejects.toMatchObject({ code: 'project_over_share' });
    const other = run('b', 0);
    await endAll();
    await other;
  });

  it('leaves a body in its socket until there is a place, and takes the wait from its patience', async () => {
    const { queue, endAll } = startFull();
    await expect(queue.waitForPlace('b', undefined, { leftMs: 0 })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await queue.waitForPlace('b', '5', { leftMs: 0 });
    const patience = { leftMs: 1_000_000 };
    let hasPlace = false;
    const waiting = queue.waitForPlace('a', '5', patience).then(() => (hasPlace = true));
    await nextTurn();
    expect(hasPlace).toBe(false);
    await endAll();
    await waiting;
    expect(patience.leftMs).toBeLessThan(1_000_000);
  });

  it('lets waiting bodies hold no more than 32 MiB', async () => {
    const limits = { ...LIMITS, maxWaitingBytes: 64 * 1024 * 1024 };
    const queue = new ReadingQueue(limits, POLL_MS);
    const bytes = 20 * 1024 * 1024;
    const ends: (() => void)[] = [];
    const run = () =>
      queue.run(
        { key: 'a', bytes, patience: { leftMs: 1_000_000 } },
        () => new Promise<void>((resolve) => ends.push(resolve)),
      );
    const bodies = [run(), run(), run()];
    await expect(run()).rejects.toMatchObject({ code: 'project_over_share' });
    let left = bodies.length;
    for (const body of bodies) void body.then(() => left--);
    while (left > 0) {
      ends.shift()?.();
      await nextTurn();
    }
  });
});
