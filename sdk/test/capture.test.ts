import { describe, expect, it } from 'vitest';
import Tocsin, { Tocsin as NamedTocsin } from '../src/index.ts';
import { API_KEY, event, startClient } from './support/client.ts';
import { startIngestion } from './support/fake-ingestion.ts';
import { START_MS } from './support/virtual-time.ts';

describe('capture', () => {
  it('sends one POST to /ingest/events with the key in a header, and resolves to the body of the answer', async () => {
    const ingestion = await startIngestion(() => ({
      status: 202,
      body: { jobId: 'job_7', status: 'queued' },
    }));
    const tocsin = new Tocsin({ apiKey: API_KEY, baseUrl: ingestion.baseUrl });

    const result = await tocsin.capture({
      type: 'checkout.completed',
      severity: 'warn',
      message: 'An order was paid twice',
      correlation: { order_id: 'ord_1', attempt: 2, replayed: false, coupon: null },
    });

    expect(result).toEqual({ jobId: 'job_7', status: 'queued' });
    expect(ingestion.paths()).toEqual(['/ingest/events']);
    expect(ingestion.requests[0]?.headers).toMatchObject({
      'x-api-key': API_KEY,
      'content-type': 'application/json',
    });
    expect(ingestion.events()).toEqual([
      {
        type: 'checkout.completed',
        severity: 'WARN',
        message: 'An order was paid twice',
        correlation: { order_id: 'ord_1', attempt: 2, replayed: false, coupon: null },
      },
    ]);
  });

  it('sends source, payload, release and the given time', async () => {
    const { client, ingestion } = await startClient();
    const capturedAt = new Date(START_MS - 3_600_000);
    const extras = { source: 'billing', payload: { cents: 1_999, items: ['a'] }, release: '1.4.0' };
    await client.capture(event({ ...extras, capturedAt }));
    expect(ingestion.events()).toEqual([
      { ...event(), severity: 'INFO', ...extras, capturedAt: capturedAt.toISOString() },
    ]);
  });

  it('sends the environment of a call, else that of the client, at most 64 characters of it', async () => {
    const { client, ingestion } = await startClient(undefined, { environment: ' staging' });
    await client.capture(event());
    await client.capture(event({ environment: 'eu'.repeat(40) }));
    await client.captureError(new Error('Boom'), undefined);
    await client.captureError(new Error('Boom'), { environment: 'eu' });
    await client.deploy({ release: '1.4.0' });
    await client.deploy({ release: '1.4.0', environment: 'eu' });
    const sent = ingestion.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(sent.map(({ environment }) => environment)).toEqual([
      ' staging',
      'eu'.repeat(32),
      ' staging',
      'eu',
      ' staging',
      'eu',
    ]);
  });

  it('sends the given fingerprint, cut to the limits of the server', async () => {
    const { client, ingestion } = await startClient();
    const given = ['{{ default }}', '', 7, null, 'x'.repeat(300), ...Array.from({ length: 40 }, () => 'y')];
    // A caller without types may pass anything.
    for (const fingerprint of [given, 'mine', [], [''], 7] as never[]) {
      await client.capture(event({ fingerprint }));
      await client.captureError(new Error('Boom'), { fingerprint, release: '1.4.0' });
    }
    const sent = ingestion.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const clean = ['{{ default }}', '7', 'x'.repeat(256), ...Array.from({ length: 27 }, () => 'y')];
    expect(sent.map(({ fingerprint }) => fingerprint)).toEqual([
      clean,
      clean,
      ...Array.from({ length: 8 }, () => undefined),
    ]);
    expect(sent.map(({ release }) => release)).toContain('1.4.0');
  });

  it('omits a capturedAt that is unreadable or out of range', async () => {
    const { client, ingestion } = await startClient();
    for (const capturedAt of [
      'yesterday',
      new Date(Number.NaN),
      '2001-01-01T00:00:00Z',
      new Date(START_MS + 600_000),
      12,
    ]) {
      expect(await client.capture(event({ capturedAt }))).not.toBeNull();
    }
    expect(ingestion.events().some((sent) => 'capturedAt' in sent)).toBe(false);
  });

  it.each([
    ['critical', 'CRITICAL'],
    ['ERROR', 'ERROR'],
    ['warning', 'WARN'],
    ['fatal', 'CRITICAL'],
    ['debug', 'INFO'],
    ['nonsense', 'ERROR'],
    [undefined, 'ERROR'],
  ])('sends the severity %s as %s', async (severity, expected) => {
    const { client, ingestion } = await startClient();
    await client.capture(event({ severity }));
    expect(ingestion.events()[0]?.['severity']).toBe(expected);
  });

  it('replaces missing values instead of losing the event', async () => {
    const { client, ingestion } = await startClient();
    expect(await client.capture(undefined)).not.toBeNull();
    expect(ingestion.events()).toEqual([{ type: 'custom', severity: 'ERROR', message: '(no message)' }]);
  });

  it('copies its arguments: later changes do not reach the server', async () => {
    const { client, ingestion } = await startClient();
    const payload = { step: 1 };
    const settled = client.capture(event({ payload }));
    payload.step = 2;
    await settled;
    expect(ingestion.events()[0]?.['payload']).toEqual({ step: 1 });
  });

  it('keeps the path of the base address and tolerates slashes at its end', async () => {
    const { baseUrl, paths } = await startIngestion(() => ({
      status: 202,
      body: { jobId: 'j', status: 'queued' },
    }));
    for (const suffix of ['', '/', '///', '/tocsin', '/tocsin/']) {
      await new NamedTocsin({ apiKey: API_KEY, baseUrl: baseUrl + suffix }).capture(event() as never);
    }
    const root = '/ingest/events';
    expect(paths()).toEqual([root, root, root, `/tocsin${root}`, `/tocsin${root}`]);
  });

  it('reuses connections between captures', async () => {
    const { client, ingestion } = await startClient();
    for (let index = 0; index < 20; index++) await client.capture(event());
    expect(ingestion.requests).toHaveLength(20);
    // A second connection may open if the first is returned a moment late.
    expect(ingestion.connections()).toBeLessThanOrEqual(2);
  });

  it('works without its object', async () => {
    const ingestion = await startIngestion();
    const { capture, captureError, flush, stats, close } = new Tocsin({
      apiKey: API_KEY,
      baseUrl: ingestion.baseUrl,
    });
    expect(await capture({ type: 'a', severity: 'info', message: 'b' })).not.toBeNull();
    expect(await Promise.reject(new Error('late')).catch(captureError)).not.toBeNull();
    await flush();
    await close();
    expect(stats().sent).toBe(2);
  });
});
