import { describe, expect, it } from 'vitest';
import { item, settle, startIntake } from './testing.ts';

/** An intake with a clock that the test sets, and clients that may leave. */
function start(limits: Parameters<typeof startIntake>[0] = {}) {
  let nowMs = 0;
  const started = startIntake(limits, () => nowMs);
  const outcomes: string[] = [];
  const send = (projectId: string, ...events: string[]) => {
    const client = { destroyed: false };
    const name = `${projectId}${events.join('')}`;
    started.intake.append(item(projectId, ...events), client).then(
      ({ status }) => outcomes.push(`${name} ${status}`),
      (error: { code: string }) => outcomes.push(`${name} ${error.code}`),
    );
    return client;
  };
  return { ...started, outcomes, send, advance: (ms: number) => void (nowMs += ms) };
}

describe('an intake whose clients leave', () => {
  it('commits only the requests of those that stayed, in their turns', async () => {
    const { queue, intake, outcomes, send, advance } = start();
    send('x', '0');
    await settle();
    const leaving = [send('a', '1'), send('a', '2')];
    send('a', '3');
    leaving.push(send('b', '1', '2'), send('c', '1'));
    send('c', '2');
    leaving.push(send('c', '3'));
    advance(2_000);
    for (const client of leaving) client.destroyed = true;
    await queue.end();
    expect(queue.names()).toEqual([['x0'], ['a3', 'c2']]);
    await queue.end();
    expect(outcomes).toEqual([
      'x0 queued',
      'a1 unavailable',
      'a2 unavailable',
      'b12 unavailable',
      'c1 unavailable',
      'c3 unavailable',
      'a3 queued',
      'c2 queued',
    ]);
    expect(intake.waiting).toBe(0);
  });

  it('begins no commit where none stayed, and goes on with the next request', async () => {
    const { queue, intake, send, advance } = start();
    send('x', '0');
    await settle();
    const leaving = send('a', '1');
    advance(2_000);
    leaving.destroyed = true;
    await queue.end();
    expect([queue.names(), intake.waiting]).toEqual([[['x0']], 0]);
    send('a', '2');
    await settle();
    expect(queue.names()).toEqual([['x0'], ['a2']]);
  });

  it('commits the event of a client that does not wait for the answer', async () => {
    const { queue, outcomes, send, advance } = start();
    send('x', '0');
    await settle();
    send('a', '1').destroyed = true;
    advance(1_999);
    await queue.end();
    await queue.end();
    expect(outcomes).toEqual(['x0 queued', 'a1 queued']);
  });

  it('reuses the places of disconnected clients while a commit does not end', async () => {
    const { intake, queue, outcomes, send, advance } = start();
    send('x', '0');
    await settle();
    const leaving = ['1', '2', '3', '4'].map((name) => send('a', name));
    for (const name of ['1', '2', '3', '4']) send('b', name);
    send('c', '1');
    await settle();
    expect(outcomes).toEqual(['c1 unavailable']);
    for (const client of leaving) client.destroyed = true;
    advance(2_000);
    for (const name of ['2', '3']) send('c', name);
    send('a', '5');
    await settle();
    expect(outcomes.slice(1)).toEqual(['1', '2', '3', '4'].map((name) => `a${name} unavailable`));
    expect(intake.waiting).toBe(7);
    await queue.end();
    expect(queue.names()[1]).toEqual(['b1', 'c2', 'a5', 'b2']);
  });

  it('returns the bytes of disconnected clients to their own project', async () => {
    const { outcomes, send, advance } = start();
    send('x', '0');
    await settle();
    const leaving = send('a', 'y'.repeat(400));
    advance(2_000);
    leaving.destroyed = true;
    send('a', 'z'.repeat(300));
    await settle();
    expect(outcomes).toEqual([`a${'y'.repeat(400)} unavailable`]);
  });

  it('answers those who wait after a bug of its own, gives their places back, and serves the next', async () => {
    const { queue, intake, outcomes, send, advance } = start({ maxWaiting: 8 });
    send('x', '0');
    await settle();
    send('a', '1');
    const broken = send('b', '1');
    Object.defineProperty(broken, 'destroyed', {
      get: () => {
        throw new Error('a bug');
      },
    });
    send('c', '1');
    advance(2_000);
    await queue.end();
    await settle();
    // One was in the batch already, one is at fault, one still waits.
    expect(outcomes).toEqual(['x0 queued', 'a1 undefined', 'b1 undefined', 'c1 undefined']);
    expect(intake.waiting).toBe(0);
    send('b', '2');
    await settle();
    await queue.end();
    expect(outcomes.at(-1)).toBe('b2 queued');
  });
});
