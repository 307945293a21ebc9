import { describe, expect, it } from 'vitest';
import { startQueue } from '../../test/support/held-tasks.ts';
import { KeyedQueue } from './keyed-queue.ts';

const LIMITS = { maxRunning: 2, maxWaiting: 4 };

describe('a keyed queue', () => {
  it('gives keys their turns, and the tasks of a key theirs in the order of arrival', async () => {
    const { begun, addAll, endAll } = startQueue({ ...LIMITS, maxWaiting: 8 });
    await addAll('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'a5', 'b2');
    await endAll();
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  });

  it('passes over a key with as many running tasks as it may have', async () => {
    const { begun, addAll, end } = startQueue({ maxRunning: 4, maxRunningPerKey: 2, maxWaiting: 8 });
    await addAll('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('b1');
    expect(begun.slice(4)).toEqual(['b3']);
    await end('b2');
    expect(begun.slice(5)).toEqual(['c1']);
  });

  it('begins a task of a key with few running ones at once, whatever waits of another key', async () => {
    const { begun, addAll, endAll } = startQueue({ maxRunning: 4, minRunningPerKey: 1, maxWaiting: 8 });
    await addAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
    await endAll();
    expect(begun.slice(5)).toEqual(['a5', 'b2', 'a6']);
  });

  it('refuses a key with its share of places or bytes, and every key where all are taken', async () => {
    const { outcomes, add, addAll } = startQueue({ ...LIMITS, maxWaitingBytes: 100, maxShare: 1 / 2 });
    await addAll('a1', 'a2', 'a3', 'a4', 'a5');
    await add('b1', 51);
    await addAll('b2', 'b3', 'c1');
    expect(outcomes).toEqual(['a5 over share', 'b1 over share', 'c1 full']);
  });

  it('removes an aborted task from its line, and never begins one that was aborted before', async () => {
    const { queue, begun, outcomes, addAll, abort, endAll } = startQueue({ ...LIMITS, maxRunning: 1 });
    await addAll('a1', 'a2', 'a3');
    await abort('a2');
    const gone = AbortSignal.abort(new Error('gone'));
    const refuse = () => new Error('refused');
    await expect(queue.run({ key: 'b', signal: gone, refuse }, () => Promise.resolve())).rejects.toThrow(
      'gone',
    );
    await endAll();
    expect([begun, outcomes]).toEqual([
      ['a1', 'a3'],
      ['a2 left', 'a1 done', 'a3 done'],
    ]);
  });

  it('refuses a task that has waited too long, and keeps no timer for one that began', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { queue, begun, addAll, end } = startQueue({ ...LIMITS, maxRunning: 1, maxWaitMs: 3_600_000 });
    await addAll('a1', 'a2');
    expect(timers()).toBe(before + 1);
    await end('a1');
    expect([begun, timers()]).toEqual([['a1', 'a2'], before]);
    expect(queue.waiting).toBe(0);
    const hasty = startQueue({ ...LIMITS, maxRunning: 1, maxWaitMs: 1 });
    await hasty.add('a1');
    const late = hasty.queue.run({ key: 'b', refuse: (refusal) => new Error(refusal) }, () =>
      Promise.resolve(),
    );
    await expect(late).rejects.toThrow('late');
    expect(hasty.queue.waiting).toBe(0);
  });

  it('continues after a task that failed, also where it throws at once', async () => {
    const queue = new KeyedQueue({ ...LIMITS, maxRunning: 1 });
    const task = { key: 'a', refuse: () => new Error('refused') };
    const failing = queue.run(task, () => {
      throw new Error('at once');
    });
    const next = queue.run(task, () => Promise.resolve(2));
    await expect(failing).rejects.toThrow('at once');
    expect(await next).toBe(2);
  });

  it('refuses the newest task of the key that `evict` names, in place of the newcomer', async () => {
    const { begun, outcomes, addAll, endAll } = startQueue({
      ...LIMITS,
      maxRunning: 1,
      evict: (lines) => lines.find(({ length }) => length > 2)?.key ?? null,
    });
    await addAll('a1', 'a2', 'a3', 'b1', 'a4', 'b2');
    expect(outcomes).toEqual(['a4 full']);
    await endAll();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });
});
