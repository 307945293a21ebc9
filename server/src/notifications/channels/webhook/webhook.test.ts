import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { generateWebhookSecret, signWebhook } from './signature.ts';

it('signs so that the package of Standard Webhooks verifies it, and refuses another body, id or secret', () => {
  const secret = generateWebhookSecret();
  const body = JSON.stringify({ type: 'incident.opened', title: 'ü 💥' });
  const headers = signWebhook({ id: 'dlv_1', nowMs: Date.now(), body }, secret);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'dlv_2' })).toThrow();
  expect(() => new Webhook(generateWebhookSecret()).verify(body, headers)).toThrow();
});

it('signs with a time, so that the package of Standard Webhooks refuses what is 6 minutes old', () => {
  const secret = generateWebhookSecret();
  const headers = signWebhook({ id: 'dlv_1', nowMs: Date.now() - 6 * 60_000, body: '{}' }, secret);
  expect(() => new Webhook(secret).verify('{}', headers)).toThrow(/too old/);
});
