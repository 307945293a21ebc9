import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { settle, startIntake } from './testing.ts';

/** An intake whose commit of `a` is in progress, and long because of its four events. */
async function startLongCommit() {
  const started = startIntake();
  for (const name of ['1', '2', '3', '4']) started.append('a', name);
  await settle();
  return started;
}

describe('an intake beside a long commit', () => {
  it('commits what comes of a project that has nothing in it', async () => {
    const { queue, append, outcomes } = await startLongCommit();
    append('b', '1');
    await settle();
    expect(queue.names()).toEqual([['a1', 'a2', 'a3', 'a4'], ['b1']]);
    await queue.end();
    expect(outcomes).toEqual(['queued']);
  });

  it('commits nothing of a project that has something in it', async () => {
    const { queue, append } = await startLongCommit();
    for (const name of ['5', '6']) append('a', name);
    append('b', '1');
    await settle();
    expect(queue.names().slice(1)).toEqual([['b1']]);
    queue.batches[0]?.end();
    await settle();
    expect(queue.names().slice(1)).toEqual([['b1'], ['a5', 'a6']]);
  });

  it('runs one further commit at a time: what comes meanwhile shares the next one', async () => {
    const { queue, append } = await startLongCommit();
    for (const project of ['b', 'c', 'd']) {
      append(project, '1');
      await settle();
    }
    expect(queue.names().slice(1)).toEqual([['b1']]);
    await queue.end();
    expect(queue.names().slice(1)).toEqual([['b1'], ['c1', 'd1']]);
    expect(queue.mostAtOnce).toBe(2);
  });

  it('begins no further commit beside a short one', async () => {
    const { queue, append } = startIntake();
    for (const name of ['1', '2', '3']) append('a', name);
    await settle();
    append('b', '1');
    await settle();
    expect(queue.names()).toEqual([['a1', 'a2', 'a3']]);
  });

  it('begins a further commit beside a bulk body', async () => {
    const { queue, append } = startIntake();
    append('a', '1', '2', '3', '4');
    await settle();
    append('b', '1');
    await settle();
    expect(queue.names()).toEqual([['a1234'], ['b1']]);
  });

  it('leaves what comes to the next commit once the long one has ended', async () => {
    const { queue, append } = await startLongCommit();
    append('b', '1');
    await settle();
    queue.batches[0]?.end();
    await settle();
    append('c', '1');
    append('b', '2');
    await settle();
    expect(queue.names().slice(1)).toEqual([['b1'], ['c1', 'b2']]);
  });

  it('refuses the requests of the further commit alone when that fails', async () => {
    const { queue, append, outcomes } = await startLongCommit();
    append('b', '1');
    await settle();
    await queue.end(new Error('connection lost'));
    expect(outcomes).toEqual(['unavailable']);
    queue.batches[0]?.end();
    await settle();
    expect(outcomes).toEqual(['unavailable', 'queued', 'queued', 'queued', 'queued']);
  });

  it('drains both commits', async () => {
    const { queue, intake, append, outcomes } = await startLongCommit();
    append('b', '1');
    await settle();
    let drained = false;
    const draining = intake.drain().then(() => (drained = true));
    queue.batches[0]?.end();
    await settle();
    expect(drained).toBe(false);
    await queue.end();
    await draining;
    expect(outcomes).toHaveLength(5);
  });
});

describe('an intake that answers a commit', () => {
  it('answers in each turn of the event loop as many as may be, one of each project first', async () => {
    const { queue, intake, append, outcomes } = startIntake({}, undefined, () => 2);
    for (const name of ['1', '2', '3']) append('a', name);
    append('b', '1');
    await settle();
    expect(queue.names()).toEqual([['a1', 'b1', 'a2', 'a3']]);
    queue.batches[0]?.end();
    const given: number[] = [];
    for (let turn = 0; outcomes.length < 4; turn++) {
      await nextTurn();
      given.push(outcomes.length);
    }
    expect(given[0]).toBe(2);
    expect(given.at(-1)).toBe(4);
    await intake.drain();
  });

  it('answers all requests before it has drained', async () => {
    const { queue, intake, append, outcomes } = startIntake({}, undefined, () => 1);
    for (const name of ['1', '2', '3', '4']) append('a', name);
    await settle();
    const draining = intake.drain();
    queue.batches[0]?.end();
    await draining;
    expect(outcomes).toHaveLength(4);
  });

  it('begins the next commit before it has answered the last one', async () => {
    const { queue, append, outcomes } = startIntake({}, undefined, () => 1);
    for (const name of ['1', '2', '3', '4']) append('a', name);
    await settle();
    for (const name of ['5', '6', '7', '8']) append('a', name);
    queue.batches[0]?.end();
    await nextTurn();
    expect(queue.names()).toHaveLength(2);
    expect(outcomes.length).toBeLessThan(4);
  });
});
