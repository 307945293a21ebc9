import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { RequestTurns } from './request-turns.ts';
import { OPEN, settle } from './testing.ts';

const LIMITS = { atWork: 4, alwaysAtWork: 1, maxWaiting: 8, maxWaitingBytes: 1_000, maxWaitMs: 5_000 };

/** Turns whose work ends when the test says so; `begun` are the requests in the order in which they began. */
function startTurns(limits: Partial<typeof LIMITS> = {}) {
  let nowMs = 0;
  const turns = new RequestTurns(() => nowMs, { ...LIMITS, ...limits });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const send = (name: string, { bytes = 1, connection = OPEN, failure = null as Error | null } = {}) => {
    const work = () => {
      begun.push(name);
      return failure ? Promise.reject(failure) : new Promise<void>((end) => ends.push(end));
    };
    const refuse = (error: unknown) => {
      refused.push(
        error instanceof ApiError
          ? `${name} ${error.code} ${error.extras.retryAfterSeconds}`
          : `${name} ${String(error)}`,
      );
    };
    // The first letter is the project.
    const request = { projectId: name.slice(0, 1), connection, bytes, sinceMs: 0, work, refuse };
    const hold = (sinceMs: number) => void (request.sinceMs = sinceMs);
    turns.take(Object.assign(request, { hold }));
  };
  const sendMany = (project: string, count: number) => {
    for (let index = 0; index < count; index++) send(`${project}${index}`);
  };
  /** Ends the request that began first of those at work. */
  const end = async () => {
    ends.shift()?.();
    await settle();
  };
  const pass = (ms: number) => void (nowMs += ms);
  return { turns, begun, refused, send, sendMany, end, pass };
}

describe('the turns of requests', () => {
  it('works on so many requests at a time, and on the next one when one was answered', async () => {
    const { turns, begun, sendMany, end } = startTurns();
    sendMany('a', 6);
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3']);
    await end();
    expect(begun.at(-1)).toBe('a4');
    expect(turns.waiting).toBe(1);
    for (let request = 0; request < 5; request++) await end();
    sendMany('b', 5);
    expect([begun.length, turns.waiting]).toEqual([10, 1]);
  });

  it('begins a request of a project with few at work at once, whatever waits of another one', async () => {
    const { begun, sendMany, end } = startTurns();
    sendMany('a', 8);
    sendMany('q', 2);
    expect(begun.slice(4)).toEqual(['q0']);
    for (let request = 0; request < 5; request++) await end();
    expect(begun.slice(0, 7)).toEqual(['a0', 'a1', 'a2', 'a3', 'q0', 'a4', 'q1']);
  });

  it('takes projects in turn', async () => {
    const { begun, sendMany, end } = startTurns();
    for (const project of ['a', 'b', 'c']) sendMany(project, 4);
    for (let request = 0; request < 12; request++) await end();
    // Each of b and c begins its first at once.
    expect(begun.slice(0, 6)).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'c0']);
    expect(begun.slice(6)).toEqual(['b1', 'c1', 'b2', 'c2', 'b3', 'c3']);
  });

  it('answers 429 to a project with half of the waiting places or bytes, and still takes another one', async () => {
    const { begun, refused, send, sendMany } = startTurns();
    sendMany('a', 9);
    send('b0');
    send('b1', { bytes: 600 });
    send('b2', { bytes: 300 });
    send('b3', { bytes: 300 });
    await settle();
    expect(refused).toEqual([
      'a8 project_over_share 1',
      'b1 project_over_share 1',
      'b3 project_over_share 1',
    ]);
    expect(begun.at(-1)).toBe('b0');
  });

  it('answers 503 past all waiting places, but to no project with few requests at work', async () => {
    const { begun, refused, sendMany } = startTurns();
    sendMany('a', 8);
    sendMany('b', 5);
    sendMany('c', 2);
    await settle();
    expect(refused).toEqual(['c1 unavailable 1']);
    expect(begun.at(-1)).toBe('c0');
  });

  it('refuses with 503 what has waited too long when its turn comes, and begins the next', async () => {
    const { turns, begun, refused, send, sendMany, end, pass } = startTurns();
    sendMany('a', 6);
    pass(5_001);
    send('a6');
    await end();
    expect(refused).toEqual(['a4 unavailable 1', 'a5 unavailable 1']);
    expect([begun.at(-1), turns.waiting]).toEqual(['a6', 0]);
  });

  it('leaves out a request whose client left after two seconds, and works on one whose client left before', async () => {
    const { begun, refused, send, sendMany, end, pass } = startTurns();
    sendMany('a', 4);
    send('a4', { connection: { destroyed: true } });
    pass(1_999);
    await end();
    expect(begun.at(-1)).toBe('a4');
    send('a5', { connection: { destroyed: true } });
    send('a6');
    pass(2_000);
    await end();
    expect(refused).toEqual(['a5 unavailable 1']);
    expect(begun.at(-1)).toBe('a6');
  });

  it('refuses what fails, and frees its turn', async () => {
    const { begun, refused, sendMany, send } = startTurns({ atWork: 2 });
    send('a', { failure: new Error('no JSON') });
    sendMany('a', 2);
    await settle();
    expect(refused).toEqual(['a Error: no JSON']);
    expect(begun).toEqual(['a', 'a0', 'a1']);
  });
});
