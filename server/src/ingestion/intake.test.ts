import { describe, expect, it } from 'vitest';
import { createMetrics } from '../platform/metrics.ts';
import type { AppendResult, IntakeItem } from '../queue/queue.ts';
import { Intake, type IntakeLimits } from './intake.ts';

const LIMITS: IntakeLimits = {
  lanes: 1,
  maxWaiting: 8,
  maxWaitingBytes: 1_000,
  maxBatchItems: 4,
  maxBatchBytes: 500,
};

/** A queue whose commits end when the test says so. */
class HeldQueue {
  readonly batches: { items: IntakeItem[]; end: (failure?: Error) => void }[] = [];
  mostAtOnce = 0;
  #underWay = 0;

  append(items: IntakeItem[]): Promise<AppendResult[]> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
    return new Promise((resolve, reject) => {
      const end = (failure?: Error) => {
        this.#underWay--;
        if (failure) reject(failure);
        else resolve(items.map(() => ({ status: 'queued' })));
      };
      this.batches.push({ items, end });
    });
  }

  /** Ends the commit under way, and lets what follows from it happen. */
  async end(failure?: Error): Promise<void> {
    this.batches.at(-1)?.end(failure);
    await settle();
  }

  names(): string[][] {
    return this.batches.map(({ items }) => items.map(({ projectId, events }) => projectId + events.join('')));
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const item = (projectId: string, ...events: string[]): IntakeItem => ({
  projectId,
  keyId: `key of ${projectId}`,
  events,
  claim: null,
});

function start(limits: Partial<IntakeLimits> = {}) {
  const queue = new HeldQueue();
  const intake = new Intake(queue, createMetrics(), { ...LIMITS, ...limits });
  const outcomes: string[] = [];
  const append = (...parameters: Parameters<typeof item>) =>
    void intake.append(item(...parameters)).then(
      ({ status }) => outcomes.push(status),
      (error: { code: string }) => outcomes.push(error.code),
    );
  return { queue, intake, outcomes, append };
}

describe('the intake', () => {
  it('commits the first at once, and all that arrive meanwhile together', async () => {
    const { queue, append } = start();
    for (const name of ['1', '2', '3', '4']) append('a', name);
    expect(queue.names()).toEqual([['a1']]);
    await queue.end();
    expect(queue.names()).toEqual([['a1'], ['a2', 'a3', 'a4']]);
  });

  it('has one commit under way at a time', async () => {
    const { queue, append, outcomes } = start();
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
    const { queue, append, outcomes } = start();
    append('a', '1');
    append('a', '2');
    await settle();
    expect(outcomes).toEqual([]);
    await queue.end();
    expect(outcomes).toEqual(['queued']);
    await queue.end();
    expect(outcomes).toEqual(['queued', 'queued']);
  });

  it('takes projects in turn', async () => {
    const { queue, append } = start();
    append('a', '0');
    for (const name of ['1', '2', '3', '4']) append('a', name);
    append('b', '1');
    append('c', '1');
    await queue.end();
    await queue.end();
    expect(queue.names()).toEqual([['a0'], ['a1', 'b1', 'c1', 'a2'], ['a3', 'a4']]);
  });

  it('makes a bulk body a batch of its own', async () => {
    const { queue, append } = start();
    append('a', '0');
    append('a', '1');
    append('b', 'x', 'y', 'z');
    append('c', '1');
    for (let commit = 0; commit < 3; commit++) await queue.end();
    expect(queue.names()).toEqual([['a0'], ['a1'], ['bxyz'], ['c1']]);
  });

  it('bounds a batch by its bytes, and still takes an item that is larger than a batch', async () => {
    const { queue, append } = start({ maxBatchBytes: 10 });
    append('a', '0');
    append('a', '1'.repeat(6));
    append('b', '2'.repeat(6));
    append('c', '3'.repeat(30));
    for (let commit = 0; commit < 3; commit++) await queue.end();
    expect(queue.batches.map(({ items }) => items.length)).toEqual([1, 1, 1, 1]);
  });

  it('answers 429 to a project that holds half of the places, while another is still taken', async () => {
    const { queue, append, outcomes } = start();
    append('a', 'under way');
    for (let count = 0; count < 5; count++) append('a', `${count}`);
    append('b', '1');
    await settle();
    expect(outcomes).toEqual(['project_over_share']);
    await queue.end();
    expect(queue.names()[1]).toContain('b1');
  });

  it('answers 429 to a project that holds half of the bytes', async () => {
    const { append, outcomes } = start();
    append('a', 'under way');
    append('a', 'x'.repeat(400));
    append('a', 'y'.repeat(200));
    append('b', 'z'.repeat(200));
    await settle();
    expect(outcomes).toEqual(['project_over_share']);
  });

  it('answers 503 to everybody past all places or bytes, with a time to try again', async () => {
    const { intake, append, outcomes } = start();
    append('x', 'under way');
    for (const project of ['a', 'b']) for (let count = 0; count < 4; count++) append(project, `${count}`);
    await expect(intake.append(item('c', '1'))).rejects.toMatchObject({
      code: 'unavailable',
      extras: { retryAfterSeconds: 1 },
    });
    const other = start();
    other.append('x', 'under way');
    for (const project of ['a', 'b', 'c']) other.append(project, 'x'.repeat(400));
    await settle();
    expect([outcomes, other.outcomes]).toEqual([[], ['unavailable']]);
  });

  it('has room again once the batch before has left', async () => {
    const { queue, intake, append, outcomes } = start();
    append('x', 'under way');
    for (const project of ['a', 'b']) for (let count = 0; count < 4; count++) append(project, `${count}`);
    await queue.end();
    expect(intake.waiting).toBe(4);
    append('c', '1');
    await settle();
    expect(outcomes).toEqual(['queued']);
  });

  it('drains: what it took is committed, what comes later is refused', async () => {
    const { queue, intake, append, outcomes } = start();
    append('a', '1');
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
    await start().intake.drain();
  });

  it('rejects the whole of a batch that the queue did not take, and later ones succeed', async () => {
    const { queue, append, outcomes } = start();
    append('a', '0');
    for (const name of ['1', '2', '3']) append('a', name);
    await queue.end();
    await queue.end(new Error('connection lost'));
    expect(outcomes).toEqual(['queued', 'unavailable', 'unavailable', 'unavailable']);
    append('a', '4');
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
    const intake = new Intake(queue, createMetrics(), LIMITS);
    const all = await Promise.all(['0', '1', '2'].map((name) => intake.append(item('a', name))));
    expect(all).toEqual([{ status: 'queued' }, ...results]);
  });
});
