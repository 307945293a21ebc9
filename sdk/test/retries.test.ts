import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs, retryDelayMs } from '../src/retry.ts';
import { event, startClient } from './support/client.ts';
import { collectErrorLines } from './support/console.ts';
import { acceptStrictly } from './support/fake-ingestion.ts';
import { VirtualTime } from './support/virtual-time.ts';

describe('an attempt that failed', () => {
  it.each([
    ['the connection breaks', 'reset'],
    ['the server answers 503', { status: 503 }],
    ['the server answers 429', { status: 429 }],
  ] as const)('repeats an attempt with growing delays when %s', async (_, failure) => {
    const { client, ingestion, time } = await startClient((request) =>
      request.index < 3 ? failure : acceptStrictly(request),
    );
    expect(await client.capture(event())).not.toBeNull();
    expect(ingestion.requests).toHaveLength(4);
    expect(time.slept).toEqual([187.5, 375, 750]);
  });

  it('waits for as long as Retry-After asks', async () => {
    const { client, time } = await startClient((request) =>
      request.index === 0 ? { status: 429, headers: { 'retry-after': '7' } } : acceptStrictly(request),
    );
    expect(await client.capture(event())).not.toBeNull();
    expect(time.slept).toEqual([7_125]);
  });

  it('gives up at once when Retry-After exceeds the remaining time', async () => {
    const lines = collectErrorLines();
    const { client, ingestion, time } = await startClient(() => ({
      status: 429,
      headers: { 'retry-after': '60' },
    }));
    expect(await client.capture(event())).toBeNull();
    expect(ingestion.requests).toHaveLength(1);
    expect(time.slept).toEqual([]);
    expect(lines[0]).toContain('rate_limited, HTTP 429');
  });

  it('shares one idempotency key between all attempts of a call, and with no other call', async () => {
    const { client, ingestion } = await startClient((request) =>
      request.index % 2 === 0 ? 'reset' : acceptStrictly(request),
    );
    await client.capture(event());
    await client.capture(event());
    const keys = ingestion.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}-0$/);
    expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2]]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('sends the time of a call that was delayed', async () => {
    const { client, ingestion, time } = await startClient((request) =>
      request.index < 2 ? { status: 503, headers: { 'retry-after': '1' } } : acceptStrictly(request),
    );
    const calledAt = new Date(time.runtime.wallClockMs()).toISOString();
    await client.capture(event());
    expect(ingestion.events().map((sent) => sent['capturedAt'])).toEqual([undefined, calledAt, calledAt]);
  });

  it('repeats a call without its time if the server refuses the time of a wrong clock', async () => {
    const time = new VirtualTime({ clockErrorMs: 86_400_000 });
    const { client, ingestion } = await startClient(undefined, { time });
    const capturedAt = new Date(time.runtime.wallClockMs());
    expect(await client.capture(event({ capturedAt }))).not.toBeNull();
    expect(ingestion.events().map((sent) => 'capturedAt' in sent)).toEqual([true, false]);
  });

  it('repeats an attempt as often as maxRetries says', async () => {
    collectErrorLines();
    for (const [maxRetries, attempts] of [
      [0, 1],
      [1, 2],
      [-1, 4],
      [3.7, 4],
      ['2', 4],
    ] as const) {
      const { client, ingestion } = await startClient(() => 'reset', { maxRetries: maxRetries as number });
      await client.capture(event());
      expect(ingestion.requests).toHaveLength(attempts);
    }
  });
});

describe('a server that does not answer', () => {
  it('gives each attempt timeoutMs', async () => {
    const lines = collectErrorLines();
    const time = new VirtualTime();
    const respond = () => {
      time.advance(2_000);
      return 'hang' as const;
    };
    const { client, ingestion } = await startClient(respond, { time, timeoutMs: 2_000 });
    expect(await client.capture(event())).toBeNull();
    expect(ingestion.requests).toHaveLength(4);
    expect(lines).toEqual([
      '[tocsin] capture "deploy" was lost: timeout, no answer in time, after 4 attempts',
    ]);
    // Until then the next loss would not be reported.
    time.advance(1_000);
    expect(time.pendingTimers).toBe(0);
  });

  it('settles every call within 30 s when the server does not answer, whatever the options', async () => {
    collectErrorLines();
    const time = new VirtualTime();
    const { client, ingestion } = await startClient(
      ({ index }) => {
        if (index === 15) time.advance(29_000);
        return 'hang';
      },
      { time, timeoutMs: 1e9, maxRetries: 1e9 },
    );
    const calls = Array.from({ length: 40 }, () => client.captureError(new Error('x'), undefined));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([null]));
    expect(client.stats().lost.timeout).toBe(40);
    expect(ingestion.requests).toHaveLength(16);
    expect(time.nowMs).toBeLessThan(30_000);
  });

  it('settles every call within 30 s if fetch ignores its abort signal', async () => {
    collectErrorLines();
    const time: VirtualTime = new VirtualTime({
      fetch: () => {
        queueMicrotask(() => time.advance(5_000));
        return new Promise(() => {});
      },
    });
    const { client } = await startClient(undefined, { time });
    expect(await client.capture(event())).toBeNull();
    expect(client.stats().lost.timeout).toBe(1);
  });
});

describe('the delay before the next attempt', () => {
  it('doubles the delay before the next attempt up to a limit, and varies it by half', () => {
    const range = (retry: number) => [0, 1].map((chance) => retryDelayMs(retry, undefined, () => chance));
    expect([0, 1, 2, 10].map(range)).toEqual([
      [125, 250],
      [250, 500],
      [500, 1_000],
      [4_000, 8_000],
    ]);
  });

  it('never waits less than Retry-After, in seconds or as a date', () => {
    const nowMs = Date.UTC(2026, 0, 1);
    expect(parseRetryAfterMs('2', nowMs)).toBe(2_000);
    expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:03 GMT', nowMs)).toBe(3_000);
    expect(parseRetryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', nowMs)).toBe(0);
    for (const header of [null, '', 'soon']) expect(parseRetryAfterMs(header, nowMs)).toBeUndefined();
    expect(retryDelayMs(9, 2_000, () => 0)).toBe(2_000);
  });
});
