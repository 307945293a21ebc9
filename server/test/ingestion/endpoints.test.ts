import { describe, expect, it } from 'vitest';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { anEvent, eventIdOf, storedEvent } from './support.ts';

const NOW = '2026-11-21T09:30:00.123Z';

describe('an event that is sent', async () => {
  const service = await startTestService({ clock: new StillClock(Date.parse(NOW)) });
  const user = await service.signUp();
  const project = await user.createProject();
  const sent = async (path: string, body: unknown) => {
    const answer = await project.ingest.post(path, body);
    expect(answer).toMatchObject({
      status: 202,
      body: { jobId: expect.stringMatching(/^job_[0-9a-hjkmnp-tv-z]{26}$/), status: 'queued' },
    });
    expect(Object.keys(answer.body)).toEqual(['jobId', 'status']);
    const stored = await storedEvent(user, answer);
    const { id, projectId, organizationId, fingerprint, groupId, ...rest } = stored;
    expect([id, projectId, organizationId]).toEqual([eventIdOf(answer), project.id, user.organizationId]);
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(groupId).toMatch(/^grp_[0-9a-z]{26}$/);
    return { ...rest, fingerprint };
  };
  const anyFingerprint = expect.any(String);

  it('returns an event with all of its fields as they were sent', async () => {
    const event = {
      type: 'checkout',
      message: 'Tab\t, line\n, \u2028, "quotes", \\, é, 🔥, \u0001 and Ω',
      source: 'shop',
      correlation: { order_id: 'ord_1', attempt: 2, retry: true, nothing: null, '': 'empty key' },
      payload: {
        text: ' spaces ',
        numbers: [0, -1, 1.5, 1e300, 5e-324, 9007199254740991],
        deep: [[{ a: null, b: false }]],
        '': 1,
        'a key\nof two lines': 2,
        'a\u2028b': 3,
        __proto: 4,
      },
      release: '1.2.3+4',
      environment: 'eu-west',
    };
    expect(await sent('/ingest/events', { ...event, severity: 'CRITICAL' })).toEqual({
      ...event,
      severity: 'critical',
      correlationId: 'ord_1',
      fingerprint: anyFingerprint,
      amount: null,
      capturedAt: NOW,
      receivedAt: NOW,
      changed: [],
      scrubbed: {},
      weight: 1,
      frames: [],
      causes: [],
    });
  });

  it('returns null or empty values for fields that were not sent', async () => {
    const stored = await sent('/ingest/events', anEvent({ message: '' }));
    expect(stored).toEqual({
      type: 'checkout',
      severity: 'info',
      source: null,
      message: '',
      payload: {},
      correlation: {},
      correlationId: stored.fingerprint,
      fingerprint: anyFingerprint,
      release: null,
      environment: 'production',
      amount: null,
      capturedAt: NOW,
      receivedAt: NOW,
      changed: [],
      scrubbed: {},
      weight: 1,
      frames: [],
      causes: [],
    });
  });

  it('keeps keys that have a meaning in JavaScript', async () => {
    const body = `{"type":"t","severity":"INFO","message":"m",
      "payload":{"__proto__":{"a":1},"constructor":2,"toString":3},"correlation":{"__proto__":"p","constructor":"c"}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await project.ingest.post('/ingest/events', body, { headers });
    const stored = await storedEvent(user, answer);
    expect(new Map(Object.entries(stored.payload))).toEqual(
      new Map<string, unknown>([
        ['__proto__', { a: 1 }],
        ['constructor', 2],
        ['toString', 3],
      ]),
    );
    expect(new Map(Object.entries(stored.correlation))).toEqual(
      new Map([
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ]),
    );
    expect(stored.correlationId).toBe('p');
  });

  it('drops unknown fields, and never uses them as its own', async () => {
    const stored = await sent('/ingest/events', {
      ...anEvent(),
      projectId: 'proj_00000000000000000000000000',
      id: 'evt_00000000000000000000000000',
      receivedAt: '2020-01-01T00:00:00Z',
      admin: true,
    });
    expect(stored).not.toHaveProperty('admin');
    expect(stored).toMatchObject({ receivedAt: NOW, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  it('stores a server error with its stack and frames', async () => {
    const stack = 'TypeError: x is not a function\n    at charge (/app/src/pay.js:10:5)';
    const body = { status_code: 502, path: '/pay?x=1', method: 'POST', error_message: 'Boom', stack };
    const frame = { function: 'charge', file: '/app/src/pay.js', line: 10, column: 5, inApplication: true };
    const correlation = { service: 'billing', user_id: 'u' };
    expect(await sent('/ingest/server-error', { ...body, correlation, release: '7' })).toEqual({
      type: 'server_error',
      severity: 'error',
      source: 'billing',
      message: 'Boom',
      payload: {
        status_code: 502,
        path: '/pay?x=1',
        method: 'POST',
        stack,
        frames: [frame],
      },
      correlation,
      correlationId: 'u',
      fingerprint: anyFingerprint,
      release: '7',
      environment: 'production',
      amount: null,
      capturedAt: NOW,
      receivedAt: NOW,
      changed: [],
      scrubbed: {},
      weight: 1,
      frames: [{ ...frame, context: null }],
      causes: [],
    });
  });

  it('stores a server error without a stack, with an empty path and method', async () => {
    const body = { status_code: 404, path: '', method: '', error_message: '' };
    expect(await sent('/ingest/server-error', body)).toMatchObject({
      type: 'server_error',
      severity: 'warn',
      source: 'server',
      message: '',
      payload: { status_code: 404, path: '', method: '', stack: null, frames: [] },
    });
  });

  it('stores a webhook with severity info or the one that it states', async () => {
    const body = { source: 'github', event: 'push', payload: { ref: 'main', commits: [] } };
    expect(await sent('/ingest/webhook', body)).toMatchObject({
      type: 'webhook',
      severity: 'info',
      source: 'github',
      message: 'push',
      payload: body.payload,
    });
    for (const severity of ['INFO', 'WARN', 'ERROR', 'CRITICAL']) {
      const stored = await sent('/ingest/webhook', { ...body, severity });
      expect(stored.severity).toBe(severity.toLowerCase());
    }
  });

  it.each([
    ['payment_failed', 'error'],
    ['charge.failed', 'error'],
    ['charge.succeeded', 'info'],
    ['invoice.payment_failed', 'info'],
  ])('stores the payment notice %s with severity %s', async (type, severity) => {
    const body = { type, id: `pay_${type}`, data: { object: { amount: 4200 } } };
    expect(await sent('/ingest/payments', body)).toMatchObject({
      type: 'payment',
      severity,
      source: 'payments',
      message: type,
      payload: body,
    });
    expect((await sent('/ingest/payments', { type, data: {} })).payload).toEqual({
      type,
      id: null,
      data: {},
    });
  });

  it('accepts an event with only a key, without project id or session', async () => {
    expect(project.ingest.cookie).toBeNull();
    expect((await project.ingest.post('/ingest/events', anEvent())).status).toBe(202);
  });
});
