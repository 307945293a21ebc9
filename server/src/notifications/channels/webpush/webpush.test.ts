import { expect, it } from 'vitest';
import type { Message } from '../../messages/message.ts';
import type { PushMessage, PushOutcome, Recipients } from '../base/push.ts';
import { answer, exchange, longMessage, messageOf } from '../testing.ts';
import { MAX_PLAIN_BYTES } from './encrypt-push.ts';
import { webpush } from './webpush.ts';

const USER = 'usr_01h455vb4pex5vsknk084sn02q';
const BUSY: PushOutcome = { kind: 'retry', status: 503, reason: 'Answered 503.', retryAfterMs: null };
const ACCEPTED: PushOutcome = { kind: 'accepted', status: 201 };

/** Runs one attempt whose browsers answer as given, by their ids. */
async function send(
  answers: Record<string, PushOutcome>,
  { config = {}, ...options }: { config?: object; message?: Message; acceptedBy?: string[] } = {},
) {
  const sent: { recipients: Recipients; message: PushMessage }[] = [];
  const { attempted } = await exchange(webpush, { ...config }, () => answer(500), {
    ...options,
    services: {
      pushToBrowsers: async (recipients, message) => {
        sent.push({ recipients, message });
        return Object.entries(answers).map(([browserId, pushed]) => ({ browserId, pushed }));
      },
    },
  });
  const [first] = sent;
  if (!first) throw new Error('Nothing was sent.');
  return { ...first, attempted, payload: JSON.parse(first.message.payload.toString()) };
}

it('cuts what is too long between characters, so that it fits one encrypted record', async () => {
  const { message, payload } = await send({ a: ACCEPTED }, { message: longMessage() });
  expect(message.payload.length).toBeLessThanOrEqual(MAX_PLAIN_BYTES);
  expect(message.payload.length).toBeGreaterThan(MAX_PLAIN_BYTES - 200);
  expect(Array.from(payload.title as string)).toHaveLength(200);
  expect(payload.body.endsWith('…') && payload.body.isWellFormed()).toBe(true);
  const quotes = messageOf({
    headline: '"'.repeat(5_000),
    lines: ['\u0001'.repeat(5_000), '\ud800'.repeat(5_000)],
  });
  const escaped = await send({ a: ACCEPTED }, { message: quotes });
  expect(escaped.message.payload.length).toBeLessThanOrEqual(MAX_PLAIN_BYTES);
});

it('sends by the urgency of the severity, under one topic an incident, to one member or all', async () => {
  const urgencyOf = async (changes: Partial<Message>) =>
    (await send({ a: ACCEPTED }, { message: messageOf(changes) })).message.urgency;
  expect(await urgencyOf({ severity: 'critical' })).toBe('high');
  expect(await urgencyOf({ severity: 'warn' })).toBe('normal');
  expect(await urgencyOf({ severity: 'info' })).toBe('low');
  expect(await urgencyOf({ severity: 'critical', state: 'resolved' })).toBe('normal');
  const [all, one] = [await send({ a: ACCEPTED }), await send({ a: ACCEPTED }, { config: { userId: USER } })];
  expect(all.message.topic).toMatch(/^[-\w]{32}$/);
  expect(one.message.topic).toBe(all.message.topic);
  expect(all.recipients.userId).toBeNull();
  expect(one.recipients.userId).toMatch(/^[0-9a-f-]{36}$/);
});

it('delivers where every browser has the message or never will, and tries the others alone again', async () => {
  const gone: PushOutcome = { kind: 'gone', status: 410, reason: 'Answered 410.' };
  const refused: PushOutcome = { kind: 'refused', status: 413, reason: 'Answered 413.' };
  expect((await send({ a: ACCEPTED, b: gone, c: refused })).attempted).toMatchObject({
    outcome: { kind: 'delivered' },
    body: '3 browsers: 1 accepted, 1 gone, 1 refused.',
  });
  const slow: PushOutcome = { ...BUSY, status: 429, retryAfterMs: 7_000 };
  expect((await send({ a: ACCEPTED, b: BUSY, c: slow })).attempted.outcome).toEqual({
    kind: 'partial',
    reason: 'Answered 503.',
    retryAfterMs: 7_000,
    acceptedBy: ['a'],
  });
  const again = await send({ b: BUSY }, { acceptedBy: ['a'] });
  expect(again.recipients.acceptedBy).toEqual(['a']);
  expect(again.attempted.outcome).toMatchObject({ kind: 'partial', acceptedBy: ['a'] });
  expect((await send({ b: gone }, { acceptedBy: ['a'] })).attempted.outcome.kind).toBe('delivered');
});

it('fails where no browser takes it, without the target being refused', async () => {
  expect((await send({ a: BUSY })).attempted.outcome).toMatchObject({ kind: 'retry' });
  const refused: PushOutcome = { kind: 'refused', status: 403, reason: 'Answered 403.' };
  expect((await send({ a: refused })).attempted.outcome).toMatchObject({
    kind: 'permanent',
    isTargetRefused: false,
  });
  expect((await send({})).attempted.outcome).toMatchObject({
    kind: 'permanent',
    reason: expect.stringContaining('No browser has notifications turned on'),
    isTargetRefused: false,
  });
});
