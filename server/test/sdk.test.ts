import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CaptureOptions, type ErrorContext, Tocsin } from '../../sdk/src/index.ts';
import { storedEvent } from './ingestion/support.ts';
import type { Answer } from './support/client.ts';
import { startTestService } from './support/service.ts';
import { rounds } from './support/test-length.ts';
import { drawSeed } from './support/test-seed.ts';
import { waitFor } from './support/wait.ts';

describe('the SDK against the real ingestion', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const project = await user.createProject();
  const clientOf = (apiKey = project.apiKey) => new Tocsin({ apiKey, baseUrl: service.ingestionUrl });
  const asAnswer = (body: unknown): Answer => ({ status: 202, headers: new Headers(), body });

  afterEach(() => void vi.restoreAllMocks());

  it('captures an event with all given fields', async () => {
    const result = await clientOf().capture({
      type: 'checkout',
      severity: 'critical',
      message: 'Paid 🔥',
      source: 'shop',
      release: '1.2.3',
      correlation: { order_id: 'ord_1', attempt: 2 },
      payload: { items: [{ sku: 'A-1' }] },
    });
    expect(result).toEqual({ jobId: expect.stringMatching(/^job_[0-9a-z]{26}$/), status: 'queued' });
    expect(await storedEvent(user, asAnswer(result))).toMatchObject({
      type: 'checkout',
      severity: 'critical',
      message: 'Paid 🔥',
      source: 'shop',
      release: '1.2.3',
      correlation: { order_id: 'ord_1', attempt: 2 },
      correlationId: 'ord_1',
      payload: { items: [{ sku: 'A-1' }] },
      projectId: project.id,
    });
  });

  it.each(['info', 'warn', 'error', 'critical'] as const)('captures severity %s', async (severity) => {
    const result = await clientOf().capture({ type: 't', severity, message: 'm' });
    expect((await storedEvent(user, asAnswer(result))).severity).toBe(severity);
  });

  it('captures an error with its stack, and with or without a request around it', async () => {
    const tocsin = clientOf();
    const context = { status_code: 404, path: '/pay', method: 'POST', correlation: { service: 'billing' } };
    const within = await tocsin.captureError(new TypeError('No card'), context);
    expect(await storedEvent(user, asAnswer(within))).toMatchObject({
      type: 'server_error',
      severity: 'warn',
      source: 'billing',
      message: 'No card',
      payload: {
        status_code: 404,
        path: '/pay',
        method: 'POST',
        stack: expect.stringMatching(/^TypeError: No card\n {4}at /),
        frames: expect.arrayContaining([
          expect.objectContaining({ file: expect.stringContaining('sdk.test.ts'), inApplication: true }),
        ]),
      },
    });
    const alone = await tocsin.captureError(new Error('Boom'));
    expect(await storedEvent(user, asAnswer(alone))).toMatchObject({
      severity: 'error',
      source: 'server',
      payload: { status_code: 500, path: '', method: '' },
    });
  });

  it('reports a deploy once, however often it is repeated, and counts events of its release', async () => {
    const tocsin = clientOf();
    const at = new Date(service.context.clock.now() - 3_600_000);
    const first = await tocsin.deploy({ release: '9.1.0', environment: 'staging', at });
    expect(await tocsin.deploy({ release: '9.1.0', environment: 'staging' })).toEqual(first);
    expect(await tocsin.deploy({ release: '9.1.0' })).not.toEqual(first);
    const captured = await tocsin.capture({ type: 't', severity: 'info', message: 'm', release: '9.1.0' });
    expect((await storedEvent(user, asAnswer(captured))).release).toBe('9.1.0');
    const { body } = await user.api.get(`/projects/${project.id}/deploys?release=9.1.0`);
    expect(body).toMatchObject([
      { environment: 'production', userId: null },
      { environment: 'staging', deployedAt: at.toISOString(), userId: null },
    ]);
  });

  it('stores thousands of captures of the SDK in a loop exactly once, in few requests', async () => {
    const captures = rounds(3_000, 10_000);
    const own = await user.createProject();
    const requests = vi.spyOn(globalThis, 'fetch');
    const tocsin = clientOf(own.apiKey);
    const results = await Promise.all(
      Array.from({ length: captures }, (_, index) =>
        tocsin.capture({ type: 'loop', severity: 'info', message: `Message ${index}` }),
      ),
    );
    expect(requests.mock.calls.length).toBeLessThan(captures / 50);
    expect(new Set(results.map((result) => result?.jobId)).size).toBe(captures);
    expect(tocsin.stats()).toMatchObject({ sent: captures, waiting: 0, underWay: 0 });
    requests.mockRestore();

    const ledger = await waitFor('all of them to be stored', async () => {
      const { body } = await user.api.get(`/projects/${own.id}/ledger`);
      return body.queued === 0 && body;
    });
    expect(ledger).toMatchObject({ accepted: captures, stored: captures, duplicate: 0 });
    const { rows } = await service.database.pool.query<{ messages: number }>(
      `SELECT count(DISTINCT message) AS messages FROM events WHERE type = 'loop'`,
    );
    expect(rows).toEqual([{ messages: captures }]);
  });

  it('sends nothing that the server refuses, whatever it is given', async () => {
    const losses = vi.spyOn(console, 'error').mockImplementation(() => {});
    const text = fc
      .tuple(fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }), fc.nat(40_000))
      .map(([part, times]) => (part + part.repeat(times)).slice(0, 40_000));
    const field = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }),
      text,
    );
    const correlation = fc.oneof(field, fc.dictionary(text, field, { maxKeys: 50 }));
    const options = fc.record(
      {
        type: field,
        severity: field,
        message: field,
        source: field,
        release: field,
        capturedAt: fc.oneof(field, fc.date()),
        payload: field,
        correlation,
      },
      { requiredKeys: [] },
    );
    const error = fc.record(
      { name: field, message: field, stack: field, cause: field },
      { requiredKeys: [] },
    );
    const context = fc.record(
      { status_code: field, path: field, method: field, correlation },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(options, error, context, async (given, thrown, request) => {
        const tocsin = clientOf();
        // More than 32 waiting ones leave through the bulk endpoint.
        const many = Array.from({ length: 40 }, () => tocsin.capture(given as unknown as CaptureOptions));
        const alone = tocsin.captureError(thrown, request as ErrorContext);
        for (const result of await Promise.all([...many, alone])) expect(result).not.toBeNull();
      }),
      { numRuns: rounds(10, 25), seed: drawSeed() },
    );
    expect(losses).not.toHaveBeenCalled();
  });

  it('resolves to null with one line on the console if the key was revoked', async () => {
    const own = await user.createProject();
    const tocsin = clientOf(own.apiKey);
    const event = { type: 't', severity: 'info', message: 'm' } as const;
    expect(await tocsin.capture(event)).not.toBeNull();
    const [key] = (await user.api.get(`/projects/${own.id}/api-keys`)).body;
    await user.api.delete(`/api-keys/${key.id}`);

    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await tocsin.capture(event)).toBeNull();
    expect(lines.mock.calls).toEqual([[expect.stringMatching(/^\[tocsin\] .*unauthorized.*401/)]]);
    expect(lines.mock.calls.flat().join()).not.toContain(own.apiKey);
    expect(await tocsin.captureError(new Error('Boom'))).toBeNull();
    // The second within a second is reported at its end.
    await expect.poll(() => lines.mock.calls.length).toBe(2);
    expect(tocsin.stats().lost.unauthorized).toBe(2);
  });
});
