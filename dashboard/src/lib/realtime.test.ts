import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Realtime, retryDelayMs } from './realtime.ts';

/** The parts of a browser's WebSocket that the connection uses. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  closed = false;
  sent: string[] = [];

  constructor() {
    super();
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  /** Fires no event: a browser does so later, or never. */
  close(): void {
    this.closed = true;
    this.readyState = 2;
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  end(code = 1006): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  say(frame: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(frame) }));
  }
}

const page = new EventTarget();
const network = { onLine: true };
const NOW_MS = Date.UTC(2026, 10, 18, 12);
let realtime: Realtime;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  FakeSocket.all = [];
  network.onLine = true;
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { href: 'http://127.0.0.1/app/' });
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  realtime = new Realtime();
});

afterEach(() => {
  realtime.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Returns the sockets that are still in use. */
const used = () => FakeSocket.all.filter(({ closed, readyState }) => !closed && readyState < 2);
const last = () => FakeSocket.all.at(-1) ?? expect.unreachable('There is no socket.');

function startLive(): void {
  realtime.start();
  last().open();
}

describe('the connection', () => {
  it('keeps one connection, even if it is started, stopped and started again', () => {
    realtime.start();
    realtime.stop();
    realtime.start();
    realtime.start();
    expect(used()).toHaveLength(1);
  });

  it('passes on each frame once, and none of an abandoned connection', () => {
    startLive();
    const frames: unknown[] = [];
    realtime.onMessage((frame) => frames.push(frame));
    const before = last();
    before.say({ event: 'incident_created', data: 1 });
    page.dispatchEvent(new Event('offline'));
    before.say({ event: 'incident_created', data: 2 });
    before.end();
    expect(frames).toEqual([{ event: 'incident_created', data: 1 }]);
  });

  it('reports a message as missed while nothing listens', () => {
    startLive();
    const live: boolean[] = [];
    realtime.onLive((again) => live.push(again));
    last().say({ event: 'incident_created', data: 1 });
    realtime.onMessage(() => {});
    last().say({ event: 'incident_created', data: 2 });
    expect(live).toEqual([false]);
  });

  it('reconnects with growing delays, and reports that messages may have been missed', async () => {
    startLive();
    const live: boolean[] = [];
    realtime.onLive((again) => live.push(again));
    last().end(1001);
    expect(realtime.state).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(500);
    last().end();
    await vi.advanceTimersByTimeAsync(499);
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(501);
    last().open();
    expect([realtime.state, live, used().length]).toEqual(['live', [true], 1]);
  });

  it('delays reconnecting to a service that accepts and closes connections', async () => {
    startLive();
    for (let times = 0; times < 8; times++) {
      last().end(1013);
      await vi.advanceTimersByTimeAsync(15_000);
      last().open();
    }
    last().end(1013);
    const count = FakeSocket.all.length;
    await vi.advanceTimersByTimeAsync(7_000);
    expect(FakeSocket.all).toHaveLength(count);
  });

  it('abandons a connection whose handshake hangs', async () => {
    realtime.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(realtime.state).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(500);
    expect([FakeSocket.all.length, used().length]).toEqual([2, 1]);
  });

  it('closes the connection when the system goes offline and opens it at once when it is back', () => {
    startLive();
    network.onLine = false;
    page.dispatchEvent(new Event('offline'));
    expect([realtime.state, used().length]).toEqual(['offline', 0]);
    network.onLine = true;
    page.dispatchEvent(new Event('online'));
    expect(used()).toHaveLength(1);
    last().open();
    expect(realtime.state).toBe('live');
  });

  it('renews the connection after a sleep, and keeps it where the page was only hidden', () => {
    startLive();
    vi.setSystemTime(NOW_MS + 60_000);
    page.dispatchEvent(new Event('visibilitychange'));
    expect(FakeSocket.all).toHaveLength(1);
    vi.setSystemTime(NOW_MS + 3_660_000);
    page.dispatchEvent(new Event('visibilitychange'));
    expect([realtime.state, FakeSocket.all.length, used().length]).toEqual(['reconnecting', 2, 1]);
  });

  it('reports a possible end of the session where a handshake was refused, not where a connection ended', async () => {
    const onPossibleEnd = vi.fn();
    realtime.onPossibleSessionEnd(onPossibleEnd);
    startLive();
    // Renewing a session also ends its connection.
    last().end(1008);
    expect(onPossibleEnd).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(500);
    last().end();
    expect(onPossibleEnd).toHaveBeenCalledTimes(1);
  });

  it('subscribes to a topic again after a lost connection, for as long as a page wants it', async () => {
    startLive();
    const ends = [realtime.subscribeTo('events'), realtime.subscribeTo('events')];
    expect(last().sent).toEqual(['{"subscribe":"events"}']);
    last().end();
    await vi.advanceTimersByTimeAsync(500);
    last().open();
    expect(last().sent).toEqual(['{"subscribe":"events"}']);
    ends[0]?.();
    ends[0]?.();
    expect(last().sent).toHaveLength(1);
    ends[1]?.();
    expect(last().sent).toEqual(['{"subscribe":"events"}', '{"unsubscribe":"events"}']);
  });
});

describe('the delay before the next attempt', () => {
  it('doubles the delay before the next attempt up to a limit, with random jitter of up to half', () => {
    expect([0, 1, 2, 20].map((failures) => retryDelayMs(failures, 1))).toEqual([500, 1_000, 2_000, 15_000]);
    expect(retryDelayMs(1, 0)).toBe(500);
  });
});
