import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import { OPEN, settle } from '../intake/testing.ts';
import { EventTask } from './event-task.ts';

const LIMITS = { maxRunning: 2, maxWaiting: 4, maxShare: 1 / 2 };

/** An allocation of its own, like a buffer that a socket reads. */
const ownBuffer = (text: string) => Buffer.from(new TextEncoder().encode(text).slice().buffer);

/** Events whose work ends when the test ends it; the first letter of a name is the project. */
function startEvents() {
  let nowMs = 0;
  const events = new KeyedQueue(LIMITS);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const path = {
    events,
    monotonicMs: () => nowMs,
    accept: async ({ name, failure }: { name: string; failure: Error | null }) => {
      begun.push(name);
      if (failure) throw failure;
      await new Promise<void>((end) => ends.push(end));
    },
    refuse: async ({ name }: { name: string }, error: unknown) => {
      const what =
        error instanceof ApiError ? `${error.code} ${error.extras.retryAfterSeconds}` : String(error);
      refused.push(`${name} ${what}`);
    },
  };
  const send = (name: string, { connection = OPEN, failure = null as Error | null } = {}) => {
    const event = {
      name,
      failure,
      connection,
      owner: { projectId: name.charAt(0) },
      body: ownBuffer(name),
    };
    events.enter(new EventTask(event, path));
    return event;
  };
  const sendAll = (...names: string[]) => names.forEach((name) => send(name));
  /** Ends the oldest event at work. */
  const end = async () => {
    ends.shift()?.();
    await settle();
  };
  return { events, begun, refused, send, sendAll, end, pass: (ms: number) => void (nowMs += ms) };
}

describe('an event in the queue', () => {
  it('refuses an event with 429 where its project has half of the places, and with 503 where all are taken', () => {
    const { refused, sendAll } = startEvents();
    sendAll('a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'c0');
    expect(refused).toEqual(['a4 project_over_share 1', 'c0 unavailable 1']);
  });

  it('refuses an event with 503 that gets its slot after more than five seconds, and begins the next', async () => {
    const { events, begun, refused, sendAll, end, pass } = startEvents();
    sendAll('a0', 'a1', 'a2', 'a3');
    pass(5_001);
    sendAll('b0');
    await end();
    expect([refused, begun]).toEqual([['a2 unavailable 1'], ['a0', 'a1', 'b0']]);
    await end();
    expect([refused, events.waiting]).toEqual([['a2 unavailable 1', 'a3 unavailable 1'], 0]);
  });

  it('leaves out an event whose client left after two seconds, and works on one whose client left before', async () => {
    const { begun, refused, send, sendAll, end, pass } = startEvents();
    sendAll('a0', 'a1');
    send('a2', { connection: { destroyed: true } });
    pass(1_999);
    await end();
    expect(begun.at(-1)).toBe('a2');
    send('a3', { connection: { destroyed: true } });
    sendAll('a4');
    pass(2_000);
    await end();
    expect(refused).toEqual(['a3 unavailable 1']);
    expect(begun.at(-1)).toBe('a4');
  });

  it('gives the slot of an event back where its work fails', async () => {
    const { begun, refused, send, sendAll } = startEvents();
    send('a0', { failure: new Error('no JSON') });
    send('a1', { failure: new Error('no JSON') });
    await settle();
    sendAll('b0', 'b1');
    expect(refused).toEqual(['a0 Error: no JSON', 'a1 Error: no JSON']);
    expect(begun).toEqual(['a0', 'a1', 'b0', 'b1']);
  });

  it('moves the small body of an event that has to wait into memory that it shares', () => {
    const { send } = startEvents();
    const [first, , waiting] = [send('a0'), send('a1'), send('a2')];
    expect([first?.body.toString(), waiting?.body.toString()]).toEqual(['a0', 'a2']);
    expect(first?.body.buffer.byteLength).toBe(2);
    expect(waiting?.body.buffer.byteLength).toBe(Buffer.poolSize);
  });
});
