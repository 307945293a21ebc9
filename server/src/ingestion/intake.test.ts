import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../platform/metrics.ts';
import type { AppendResult, IntakeItem } from '../queue/queue.ts';
import { Intake } from './intake.ts';
import { item, SMALL_LIMITS, settle, startIntake } from './testing.ts';

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

  it('gathers for as long as each turn of the event loop brings somebody', async () => {
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

  it('has one commit under way at a time', async () => {
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

  it('tells nobody of success before the queue does', async () => {
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

  it('takes projects in turn', async () => {
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

  it('makes a bulk body a batch of its own', async () => {
    const { queue, append } = startIntake();
    append('a', '0');
    await settle();
    append('a', '1');
    append('b', 'x', 'y', 'z');
    append('c', '1');
    for (let commit = 0; commit < 3; commit++) await queue.end();
    expect(queue.names()).toEqual([['a0'], ['a1'], ['bxyz'], ['c1']]);
  });

  it('drains: what it took is committed, what comes later is refused', async () => {
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

  it('gives each item its own result', async () => {
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
    const zeroth = intake.append(item('a', '0'));
    await settle();
    const all = await Promise.all([zeroth, ...['1', '2'].map((name) => intake.append(item('a', name)))]);
    expect(all).toEqual([{ status: 'queued' }, ...results]);
  });

  it('refuses at once, with the reason, while nothing may be taken in', async () => {
    let reason: string | null = null;
    const queue = {
      append: async (items: IntakeItem[]) => items.map(() => ({ status: 'queued' as const })),
    };
    const intake = new Intake(queue, createMetrics(), { findRefusal: () => reason });
    expect(await intake.append(item('a', '1'))).toEqual({ status: 'queued' });
    reason = 'The disk is nearly full.';
    await expect(intake.append(item('a', '2'))).rejects.toMatchObject({
      code: 'unavailable',
      message: reason,
      extras: { retryAfterSeconds: 5 },
    });
    reason = null;
    expect(await intake.append(item('a', '3'))).toEqual({ status: 'queued' });
  });
});
