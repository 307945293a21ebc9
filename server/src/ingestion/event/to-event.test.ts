import { describe, expect, it } from 'vitest';
import { toScrubSettings } from '../../scrubbing/scrub.ts';
import { fromCustomEvent } from '../mappers/custom-event.ts';
import { fromPayment } from '../mappers/payment.ts';
import { fromServerError } from '../mappers/server-error.ts';
import { fromWebhook } from '../mappers/webhook.ts';
import { type Observation, toQueuedEvent } from './to-event.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);

describe('a custom event', () => {
  it('maps a custom event as sent', () => {
    const body = {
      type: 'checkout',
      severity: 'CRITICAL',
      message: 'Paid',
      source: 'shop',
      payload: { a: [1] },
      correlation: { order_id: 7 },
      release: '1.2.3',
      capturedAt: '2026-11-21T09:00:00Z',
    } as const;
    expect(fromCustomEvent({ ...body, payload: { a: [1] } }, NOW)).toEqual({
      type: 'checkout',
      severity: 'critical',
      message: 'Paid',
      source: 'shop',
      payload: { a: [1] },
      correlation: { order_id: 7 },
      release: '1.2.3',
      capturedAtMs: NOW - 30 * 60_000,
    });
  });

  it('defaults source and payload of a custom event to empty', () => {
    const observation = fromCustomEvent({ type: 't', severity: 'INFO', message: '' }, NOW);
    expect(observation).toMatchObject({ source: null, payload: {}, message: '' });
    expect(observation.capturedAtMs).toBeUndefined();
  });
});

it('keeps the fields of an event by whatever names a project chose for secrets, which stand in what was sent', () => {
  const observation: Observation = {
    type: 'checkout',
    severity: 'error',
    source: 'shop',
    message: 'Refused',
    payload: { code: 7 },
    correlation: undefined,
    capturedAtMs: NOW,
    statusCode: 500,
    changed: ['clock'],
  };
  const settings = toScrubSettings({
    names: ['type', 'severity', 'source', 'message', 'code', 'at', 'changed'],
    off: [],
    safe: [],
    personal: [],
  });
  const { payload: _sent, ...plain } = toQueuedEvent('project', observation, NOW);
  const { payload, ...event } = toQueuedEvent('project', observation, NOW, settings);
  expect(payload).toEqual({ code: '[Filtered]' });
  expect(event).toEqual({ ...plain, id: event.id, scrubbed: { key: 1 } });
});

describe('a server error', () => {
  const body = { path: '/pay', method: 'POST', error_message: 'Boom', status_code: 500 };

  it('maps status code, path, method, stack and frames of a server error', () => {
    const stack = 'Error: Boom\n    at charge (/app/pay.js:10:5)';
    expect(fromServerError({ ...body, stack })).toMatchObject({
      type: 'server_error',
      severity: 'error',
      source: 'server',
      message: 'Boom',
      payload: {
        status_code: 500,
        path: '/pay',
        method: 'POST',
        stack,
        frames: [{ function: 'charge', file: '/app/pay.js', line: 10, column: 5, inApplication: true }],
      },
    });
  });

  it('defaults stack and frames of a server error to null and none', () => {
    expect(fromServerError(body).payload).toEqual({
      status_code: 500,
      path: '/pay',
      method: 'POST',
      stack: null,
      frames: [],
    });
  });

  it.each([
    [500, 'error'],
    [599, 'error'],
    [503, 'error'],
    [499, 'warn'],
    [404, 'warn'],
    [200, 'warn'],
  ])('maps a server error of status %i to severity %s', (status_code, severity) => {
    expect(fromServerError({ ...body, status_code }).severity).toBe(severity);
  });

  it('uses the service that the correlation names as the source of a server error', () => {
    expect(fromServerError({ ...body, correlation: { service: 'billing' } }).source).toBe('billing');
    expect(fromServerError({ ...body, correlation: { user_id: 'u' } }).source).toBe('server');
    expect(fromServerError({ ...body, correlation: { service: '' } }).source).toBe('server');
  });
});

describe('a webhook', () => {
  const body = { source: 'github', event: 'push', payload: { ref: 'main' } };

  it('names a webhook by its event', () => {
    expect(fromWebhook({ ...body, severity: 'WARN' })).toEqual({
      type: 'webhook',
      severity: 'warn',
      source: 'github',
      message: 'push',
      payload: { ref: 'main' },
      correlation: undefined,
    });
  });

  it('maps a webhook to severity info by default', () => {
    expect(fromWebhook(body).severity).toBe('info');
  });
});

describe('a payment notice', () => {
  it.each([
    ['payment_failed', 'error', true],
    ['charge.failed', 'error', true],
    ['charge.succeeded', 'info', false],
    ['invoice.payment_failed', 'info', true],
    ['payment_intent.payment_failed', 'info', true],
    ['payment_failed.resolved', 'info', false],
    ['PAYMENT_FAILED', 'info', false],
    ['payment_failed ', 'info', false],
  ] as const)('%s is of severity %s, and whether it failed is %s', (type, severity, failedPayment) => {
    expect(fromPayment({ type, data: { amount: 1 }, id: 'evt_1' })).toEqual({
      type: 'payment',
      severity,
      failedPayment,
      source: 'payments',
      message: type,
      payload: { type, id: 'evt_1', data: { amount: 1 } },
      correlation: undefined,
    });
  });

  it('carries into the queue whether it failed, and so does every event of its type', () => {
    const markOf = (observation: Observation) => toQueuedEvent('p', observation, 0).failedPayment;
    expect(markOf(fromPayment({ type: 'invoice.payment_failed', data: {} }))).toBe(true);
    expect(markOf(fromPayment({ type: 'charge.succeeded', data: {} }))).toBe(false);
    const custom = { message: 'invoice.payment_failed', type: 'payment' };
    expect(markOf(fromCustomEvent({ ...custom, severity: 'CRITICAL' }, 0))).toBe(true);
    expect(markOf(fromCustomEvent({ ...custom, severity: 'INFO' }, 0))).toBe(false);
    const other = toQueuedEvent(
      'p',
      fromCustomEvent({ ...custom, type: 'invoice', severity: 'ERROR' }, 0),
      0,
    );
    expect(other).not.toHaveProperty('failedPayment');
    const alert = { ...fromPayment({ type: 'charge.failed', data: {} }), isAlert: true as const };
    expect(toQueuedEvent('p', alert, 0)).not.toHaveProperty('failedPayment');
  });

  it('defaults the id of a payment notice to null', () => {
    expect(fromPayment({ type: 'charge.failed', data: {} }).payload).toEqual({
      type: 'charge.failed',
      id: null,
      data: {},
    });
  });
});

describe('an event that is queued', () => {
  it('carries the time of capture in its id and that of receipt beside it', () => {
    const observation = fromCustomEvent(
      { type: 't', severity: 'INFO', message: 'm', capturedAt: '2026-11-21T09:00:00.123Z' },
      NOW,
    );
    const event = toQueuedEvent('0190a000-0000-7000-8000-000000000000', observation, NOW);
    expect(Number.parseInt(event.id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW - 30 * 60_000 + 123);
    expect(event).toMatchObject({ receivedAt: '2026-11-21T09:30:00.000Z', release: null, correlation: {} });
  });

  it('keeps the keys of a queued event in the order of jsonb, whatever fields it has', () => {
    const observation = fromCustomEvent(
      {
        type: 'payment',
        severity: 'INFO',
        message: 'Card 4242 was charged',
        source: 'worker-7',
        payload: { password: 'a' },
      },
      NOW,
    );
    observation.changed = ['frames'];
    const keys = Object.keys(toQueuedEvent('0190a000-0000-7000-8000-000000000000', observation, NOW));
    expect(keys).toEqual(
      expect.arrayContaining(['changed', 'failedPayment', 'fingerprintVersion', 'scrubbed']),
    );
    expect(keys).toEqual(
      keys.toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1)),
    );
  });
});
