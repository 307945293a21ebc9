import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { findSignatureFault } from './find-signature-fault.ts';

const NOW_MS = Date.UTC(2026, 10, 27);
const SECONDS = NOW_MS / 1_000;
const BODY = Buffer.from('{"id":"evt_1"}');
const KEY = Buffer.from('whsec_0123456789abcdef');
const OTHER = Buffer.from('whsec_of_another_hook');

const stripeHmac = (time: number, key = KEY) =>
  createHmac('sha256', key).update(`${time}.`).update(BODY).digest('hex');
const stripe = (header: string, keys = [KEY]) =>
  findSignatureFault('stripe', { headers: { 'stripe-signature': header }, body: BODY, nowMs: NOW_MS }, keys);

it('accepts a signature of Stripe by any of several, with any of two secrets', () => {
  const right = `v1=${stripeHmac(SECONDS)}`;
  const wrong = `v1=${'0'.repeat(64)}`;
  expect(stripe(`t=${SECONDS},${right}`)).toBeNull();
  expect(stripe(`t=${SECONDS},${wrong},${right},v0=abc`)).toBeNull();
  expect(stripe(`t=${SECONDS},${right}`, [OTHER, KEY])).toBeNull();
  expect(stripe(`t=${SECONDS},${right}`, [OTHER])).toContain('does not fit');
  expect(stripe(`t=${SECONDS + 1},${right}`)).toContain('does not fit');
});

it('refuses a signature of Stripe that is older than 300 seconds, and takes one that is ahead', () => {
  const at = (time: number) => stripe(`t=${time},v1=${stripeHmac(time)}`);
  expect(at(SECONDS - 300)).toBeNull();
  expect(at(SECONDS - 301)).toContain('older than 300 seconds');
  expect(at(SECONDS + 86_400)).toBeNull();
});

it.each([
  '',
  't=',
  `t=${SECONDS}`,
  `v1=${stripeHmac(SECONDS)}`,
  `t=-1,v1=${stripeHmac(SECONDS)}`,
  `t=1e9,v1=${stripeHmac(SECONDS)}`,
  `t=${SECONDS},v0=${stripeHmac(SECONDS)}`,
])('refuses the header of Stripe %j as malformed', (header) => {
  expect(stripe(header)).toBe('The header Stripe-Signature is missing or malformed.');
});

it.each(['', 'é', '0'.repeat(63), '0'.repeat(100_000), stripeHmac(SECONDS).slice(0, 62), 'zz'])(
  'refuses a signature of another length or alphabet',
  (digits) => {
    expect(stripe(`t=${SECONDS},v1=${digits}`)).toContain('does not fit');
  },
);

it('accepts the signature in the documentation of GitHub, and neither another body nor SHA-1', () => {
  const headers = {
    'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  };
  const key = Buffer.from("It's a Secret to Everybody");
  const check = (body: string, sent: Record<string, string> = headers) =>
    findSignatureFault('github', { headers: sent, body: Buffer.from(body), nowMs: NOW_MS }, [OTHER, key]);
  expect(check('Hello, World!')).toBeNull();
  expect(check('Hello, World?')).toContain('does not fit');
  expect(check('Hello, World!', { 'x-hub-signature': 'sha1=01dc10d0c83e72ed246219cdd91669667fe2ca59' })).toBe(
    'The header X-Hub-Signature-256 is missing or malformed.',
  );
});

it('accepts what the package of Standard Webhooks signs, also with the headers of Svix, within 5 minutes', () => {
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const keys = [OTHER, Buffer.from(secret, 'base64')];
  const check = (time: number, prefix = 'webhook', id = 'msg_1') => {
    const signature = new Webhook(secret).sign('msg_1', new Date(time * 1_000), BODY.toString());
    const headers = {
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(time),
      [`${prefix}-signature`]: `v1,AAAA v1a,AAAA ${signature}`,
    };
    return findSignatureFault('standard', { headers, body: BODY, nowMs: NOW_MS }, keys);
  };
  expect(check(SECONDS)).toBeNull();
  expect(check(SECONDS, 'svix')).toBeNull();
  expect(check(SECONDS - 300)).toBeNull();
  expect(check(SECONDS - 301)).toContain('older');
  expect(check(SECONDS + 300)).toBeNull();
  expect(check(SECONDS + 301)).toContain('ahead');
  expect(check(SECONDS, 'webhook', 'msg_2')).toContain('does not fit');
  expect(check(SECONDS, 'other')).toContain('webhook-id');
});
