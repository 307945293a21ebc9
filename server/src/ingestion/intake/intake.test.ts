import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AppendResult, IntakeItem } from '../../queue/queue.ts';
import { createMetrics } from '../../roles/metrics.ts';
import { Intake } from './intake.ts';
import { item, OPEN, SMALL_LIMITS, settle, startIntake } from './testing.ts';

describe('the intake', () => {
  it('commits together what comes in one turn of the event loop, and what arrives meanwhile with the next', async () => {
    const { queue, append } = startIntake();
    for (const name of ['1', '2']) append('a', name);
    await settle();
    for (const name of ['3', '4', '5']) append('a', name);
    await settle();
    expect(queue.names()).toEqual([['a1', 'a2']]);
    await queue.end();
    expect(queue.names()).toEqual([
      ['a1', 'a2'],
      ['a3', 'a4', 'a5'],
    ]);
  });

  it('gathers for as long as each turn of the event loop brings a request', async () => {
    const { queue, append } = startIntake();
    for (let turn = 1; turn <= 3; turn++) {
      const coming = nextTurn().then(() => append('a', `${turn}`));
      if (turn === 1) append('a', '0');
      await coming;
      expect(queue.names()).toEqual([]);
    }
    await settle();
    expect(queue.names()).toEqual([['a0', 'a1', 'a2', 'a3']]);
  });

  it('does not gather further once enough wait', async () => {
    const { queue, append } = startIntake({ enoughItems: 3 });
    append('a', '1');
    await settle();
    for (const name of ['2', '3', '4']) append('a', name);
    queue.batches[0]?.end();
    // Promises alone, without a turn of the event loop.
    for (let step = 0; step < 10; step++) await Promise.resolve();
    expect(queue.names()).toEqual([['a1'], ['a2', 'a3', 'a4']]);
  });

  it('runs one commit at a time', async () => {
    const { queue, append, outcomes } = startIntake();
    for (let round = 0; round < 6; round++) {
      append('a', `${round}`);
      append('b', `${round}`);
      await settle();
      if (round % 2 === 1) await queue.end();
    }
    while (outcomes.length < 12) await queue.end();
    expect(queue.mostAtOnce).toBe(1);
  });

  it('resolves no append before the queue has committed', async () => {
    const { queue, append, outcomes } = startIntake();
    append('a', '1');
    await settle();
    append('a', '2');
    await settle();
    expect(outcomes).toEqual([]);
    await queue.end();
    expect(outcomes).toEqual(['queued']);
    await queue.end();
    expect(outcomes).toEqual(['queued', 'queued']);
  });

  it('serves projects in turn', async () => {
    const { queue, append } = startIntake();
    append('a', '0');
    await settle();
    for (const name of ['1', '2', '3', '4']) append('a', name);
    append('b', '1');
    append('c', '1');
    await queue.end();
    await queue.end();
    expect(queue.names()).toEqual([['a0'], ['a1', 'b1', 'c1', 'a2'], ['a3', 'a4']]);
  });

  it('commits a bulk body as a batch of its own', async () => {
    const { queue, append } = startIntake();
    append('a', '0');
    await settle();
    append('a', '1');
    append('b', 'x', 'y', 'z');
    append('c', '1');
    for (let commit = 0; commit < 3; commit++) await queue.end();
    expect(queue.names()).toEqual([['a0'], ['a1'], ['bxyz'], ['c1']]);
  });

  it('commits accepted items while it drains, and refuses later ones', async () => {
    const { queue, intake, append, outcomes } = startIntake();
    append('a', '1');
    await settle();
    append('a', '2');
    let drained = false;
    const draining = intake.drain().then(() => (drained = true));
    append('a', 'late');
    await settle();
    expect([drained, outcomes]).toEqual([false, ['unavailable']]);
    await queue.end();
    expect(drained).toBe(false);
    await queue.end();
    await draining;
    expect(outcomes).toEqual(['unavailable', 'queued', 'queued']);
  });

  it('drains at once where nothing waits', async () => {
    await startIntake().intake.drain();
  });

  it('rejects the whole of a batch that the queue did not take, and later ones succeed', async () => {
    const { queue, append, outcomes } = startIntake();
    append('a', '0');
    await settle();
    for (const name of ['1', '2', '3']) append('a', name);
    await queue.end();
    await queue.end(new Error('connection lost'));
    expect(outcomes).toEqual(['queued', 'unavailable', 'unavailable', 'unavailable']);
    append('a', '4');
    await settle();
    await queue.end();
    expect(outcomes.at(-1)).toBe('queued');
  });

  it('resolves each item to its own result', async () => {
    const results: AppendResult[] = [
      { status: 'refused' },
      { status: 'repeated', claim: { key: 'k', jobId: 'j', answer: null } },
    ];
    let first = true;
    const queue = {
      append: async (items: IntakeItem[]) => {
        if (!first) return results;
        first = false;
        return items.map(() => ({ status: 'queued' as const }));
      },
    };
    const intake = new Intake(queue, createMetrics(), { limits: SMALL_LIMITS });
    const zeroth = intake.append(item('a', '0'), OPEN);
    await settle();
    const all = await Promise.all([
      zeroth,
      ...['1', '2'].map((name) => intake.append(item('a', name), OPEN)),
    ]);
    expect(all).toEqual([{ status: 'queued' }, ...results]);
  });

  it.each([0, 1, 3])('acknowledges none of two events where the queue gives %d results', async (count) => {
    const append = async () => Array.from({ length: count }, (): AppendResult => ({ status: 'queued' }));
    const intake = new Intake({ append }, createMetrics(), { limits: SMALL_LIMITS });
    const outcomes = await Promise.allSettled(['1', '2'].map((name) => intake.append(item('a', name), OPEN)));
    const refused = {
      status: 'rejected',
      reason: { code: 'unavailable', cause: { name: 'InvariantError' } },
    };
    expect(outcomes).toMatchObject([refused, refused]);
  });

  it('refuses at once, with the reason, while nothing may be accepted', async () => {
    let reason: string | null = null;
    const queue = {
      append: async (items: IntakeItem[]) => items.map(() => ({ status: 'queued' as const })),
    };
    const intake = new Intake(queue, createMetrics(), { findRefusal: () => reason });
    expect(await intake.append(item('a', '1'), OPEN)).toEqual({ status: 'queued' });
    reason = 'The disk is nearly full.';
    await expect(intake.append(item('a', '2'), OPEN)).rejects.toMatchObject({
      code: 'unavailable',
      message: reason,
      extras: { retryAfterSeconds: 5 },
    });
    reason = null;
    expect(await intake.append(item('a', '3'), OPEN)).toEqual({ status: 'queued' });
  });

  it('refuses requests that waited too long with a failing commit, and continues with the others in turn', async () => {
    let nowMs = 0;
    const commits: { names: string[]; end: (failure?: Error) => void }[] = [];
    const queue = {
      append: (items: IntakeItem[]) =>
        new Promise<AppendResult[]>((resolve, reject) => {
          const names = items.map(({ projectId, events }) => projectId + events.join(''));
          const end = (failure?: Error) =>
            failure ? reject(failure) : resolve(items.map(() => ({ status: 'queued' })));
          commits.push({ names, end });
        }),
    };
    const limits = { ...SMALL_LIMITS, maxBatchItems: 1, maxWaiting: 100 };
    const intake = new Intake(queue, createMetrics(), { limits, monotonicMs: () => nowMs });
    const outcomes: string[] = [];
    const append = (projectId: string, name: string) =>
      void intake.append(item(projectId, name), OPEN).then(
        () => outcomes.push(`${projectId}${name} queued`),
        (error: { code: string }) => outcomes.push(`${projectId}${name} ${error.code}`),
      );

    append('a', '0');
    await settle();
    for (const name of ['1', '2']) append('a', name);
    append('b', '1');
    nowMs = 4_000;
    for (const name of ['3', '4']) append('a', name);
    append('b', '2');
    nowMs = 11_000;
    commits.at(-1)?.end(new Error('no answer'));
    await settle();
    expect(outcomes).toEqual(['a0', 'a1', 'a2', 'b1'].map((name) => `${name} unavailable`));
    expect(intake.waiting).toBe(2);

    // The other requests keep their turns, and their places are free afterwards.
    for (let commit = 0; commit < 3; commit++) {
      commits.at(-1)?.end();
      await settle();
    }
    expect(commits.map(({ names }) => names.join())).toEqual(['a0', 'a3', 'b2', 'a4']);
    expect(outcomes.slice(4)).toEqual(['a3 queued', 'b2 queued', 'a4 queued']);
    expect(intake.waiting).toBe(0);
    append('a', '5');
    await settle();
    commits.at(-1)?.end();
    await settle();
    expect(outcomes.at(-1)).toBe('a5 queued');
  });

  it('refuses no request that has waited long while commits succeed', async () => {
    let nowMs = 0;
    let end: () => void = () => {};
    const queue = {
      append: async (items: IntakeItem[]): Promise<AppendResult[]> => {
        await new Promise<void>((resolve) => (end = resolve));
        return items.map(() => ({ status: 'queued' }));
      },
    };
    const intake = new Intake(queue, createMetrics(), { monotonicMs: () => nowMs });
    const first = intake.append(item('a', '1'), OPEN);
    await settle();
    const second = intake.append(item('a', '2'), OPEN);
    nowMs = 60_000;
    end();
    expect(await first).toEqual({ status: 'queued' });
    await settle();
    end();
    expect(await second).toEqual({ status: 'queued' });
  });
});
