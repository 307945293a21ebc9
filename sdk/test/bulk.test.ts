import { describe, expect, it } from 'vitest';
import type { Client } from '../src/client.ts';
import { event, startClient } from './support/client.ts';
import { collectErrorLines } from './support/console.ts';
import { acceptStrictly } from './support/fake-ingestion.ts';
import { START_MS, VirtualTime } from './support/virtual-time.ts';

function captureMany(client: Client, count: number, changes: Record<string, unknown> = {}) {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.capture(event({ message: `no ${index}`, ...changes })),
    ),
  );
}

describe('many captures at once', () => {
  it('sends captures one by one as long as no more than 32 wait', async () => {
    const { client, ingestion } = await startClient();
    await captureMany(client, 32);
    expect(ingestion.requests).toHaveLength(32);
    expect(new Set(ingestion.paths())).toEqual(new Set(['/ingest/events']));
  });

  it('sends calls together when more than 32 wait', async () => {
    const { client, ingestion } = await startClient();
    await captureMany(client, 33);
    expect(ingestion.paths()).toEqual(['/ingest/bulk']);
    expect(ingestion.requests[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  it('sends ten thousand captures in ten requests, and resolves each to its own result', async () => {
    let line = 0;
    const { client, ingestion } = await startClient(({ body }) => ({
      status: 202,
      body: body
        .split('\n')
        .map((text) => ({ jobId: (JSON.parse(text) as { message: string }).message, status: `s${line++}` })),
    }));
    const results = await captureMany(client, 10_000);
    expect(results.every((result, index) => result?.jobId === `no ${index}`)).toBe(true);
    expect(ingestion.requests).toHaveLength(10);
    expect(client.stats()).toMatchObject({ sent: 10_000, waiting: 0, underWay: 0 });
  });

  it('limits a bulk body to 1 MiB', async () => {
    const { client, ingestion } = await startClient();
    await captureMany(client, 300, { payload: { text: 'é'.repeat(10_000) } });
    expect(client.stats().sent).toBe(300);
    const sizes = ingestion.requests.map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_048_576);
    expect(sizes).toHaveLength(6);
  });

  it('resolves a call to null if the server refuses only its line', async () => {
    const lines = collectErrorLines();
    const { client } = await startClient(({ body }) => ({
      status: 202,
      body: body
        .split('\n')
        .map((_, index) =>
          index === 5
            ? { error: { status: 400, code: 'validation_failed' } }
            : { jobId: `job_${index}`, status: 'queued' },
        ),
    }));
    const results = await captureMany(client, 40);
    expect(results.map((result) => result === null).indexOf(true)).toBe(5);
    expect(client.stats()).toMatchObject({ sent: 39, lost: { refused: 1 } });
    expect(lines).toEqual(['[tocsin] capture "deploy" was lost: refused, HTTP 400 validation_failed']);
  });

  it('repeats only the lines of a bulk request that may succeed later', async () => {
    const { client, ingestion } = await startClient((request) => {
      if (request.index > 0) return acceptStrictly(request);
      const results = request.body
        .split('\n')
        .map((_, index) =>
          index < 3 ? { error: { status: 503 } } : { jobId: `job_${index}`, status: 'queued' },
        );
      return { status: 202, body: results };
    });
    await captureMany(client, 40);
    expect(client.stats().sent).toBe(40);
    expect(ingestion.requests.map(({ body }) => body.split('\n').length)).toEqual([40, 3]);
  });

  it('counts all lines as lost if the answer does not match them', async () => {
    const lines = collectErrorLines();
    const { client, time } = await startClient(() => ({
      status: 202,
      body: [{ jobId: 'job_1', status: 'queued' }],
    }));
    await captureMany(client, 40);
    expect(client.stats().lost.invalid_response).toBe(40);
    time.advance(1_000);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('39 more calls were lost (invalid_response 39)');
  });

  it.each([404, 405, 413])(
    'sends all further captures one by one after the bulk endpoint answered %i',
    async (status) => {
      const { client, ingestion } = await startClient((request) =>
        request.path === '/ingest/bulk' ? { status } : acceptStrictly(request),
      );
      // More than fits into one body, and the rest is more than is sent one by one.
      const results = await captureMany(client, 90, { payload: { text: 'é'.repeat(10_000) } });
      expect(results).not.toContain(null);
      await captureMany(client, 100);
      const paths = ingestion.paths();
      expect(paths.filter((path) => path === '/ingest/bulk')).toHaveLength(2);
      expect(paths.filter((path) => path === '/ingest/events')).toHaveLength(190);
      const messages = ingestion
        .events()
        .slice(-100)
        .map((sent) => sent['message']);
      expect(new Set(messages).size).toBe(100);
    },
  );

  it('sends waiting calls with the time of each call', async () => {
    const time = new VirtualTime();
    const { client, ingestion } = await startClient(
      (request) => {
        // The requests of the first calls hang until the second calls have waited for two seconds.
        if (request.index < 15) return 'hang';
        if (request.index === 15) {
          calledAt = new Date(time.runtime.wallClockMs()).toISOString();
          late = captureMany(client, 100);
          time.advance(5_000);
          return 'hang';
        }
        return acceptStrictly(request);
      },
      { time, maxRetries: 0 },
    );
    let calledAt = '';
    let late: Promise<unknown> = Promise.resolve();
    collectErrorLines();
    await captureMany(client, 16);
    await late;
    expect(ingestion.requests).toHaveLength(17);
    expect(
      ingestion
        .events()
        .slice(16)
        .map((sent) => sent['capturedAt']),
    ).toEqual(Array(100).fill(calledAt));
  });

  it('sends captures again without their times if the clock is wrong', async () => {
    const { client, ingestion } = await startClient(undefined, {
      time: new VirtualTime({ clockErrorMs: -30 * 86_400_000 }),
    });
    const capturedAt = new Date(START_MS - 30 * 86_400_000);
    expect(await captureMany(client, 50, { capturedAt })).not.toContain(null);
    expect(ingestion.requests).toHaveLength(2);
  });

  it('shares one idempotency key between attempts with the same lines, so that nothing is stored twice', async () => {
    const { client, ingestion } = await startClient((request) =>
      request.index === 0 ? 'reset' : acceptStrictly(request),
    );
    await Promise.all(Array.from({ length: 40 }, () => client.capture(event())));
    await Promise.all(Array.from({ length: 40 }, () => client.capture(event())));
    const keys = ingestion.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}-0-39-40$/);
    expect(keys).toEqual([keys[0], keys[0], keys[2]]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});
