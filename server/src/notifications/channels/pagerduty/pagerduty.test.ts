import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { answer, exchange, longMessage, messageOf, readBody, strict } from '../testing.ts';
import { pagerduty } from './pagerduty.ts';

const CONFIG = { routingKey: 'R0123456789ABCDEF0123456789ABCDE' };
/** https://developer.pagerduty.com/docs/send-alert-event */
const common = {
  routing_key: Type.String({ minLength: 32, maxLength: 32 }),
  dedup_key: Type.String({ minLength: 1, maxLength: 255 }),
};
const Trigger = strict({
  ...common,
  event_action: Type.Literal('trigger'),
  client: Type.String(),
  client_url: Type.Optional(Type.String()),
  links: Type.Optional(Type.Array(strict({ href: Type.String(), text: Type.String() }))),
  payload: strict({
    summary: Type.String({ minLength: 1, maxLength: 1_024 }),
    source: Type.String({ minLength: 1 }),
    severity: Type.Enum(['critical', 'error', 'warning', 'info']),
    timestamp: Type.String(),
    custom_details: Type.Unsafe<Record<string, string>>({ type: 'object' }),
  }),
});
const Change = strict({ ...common, event_action: Type.Enum(['acknowledge', 'resolve']) });
const accepted = () => answer(202, { status: 'success', message: 'Event processed', dedup_key: 'inc' });

it('triggers, acknowledges and resolves one alert by the id of the incident', async () => {
  const first = await exchange(pagerduty, CONFIG, accepted);
  expect(first.requests[0]?.url).toBe('https://events.pagerduty.com/v2/enqueue');
  expect(readBody(Trigger, first.requests[0])).toMatchObject({
    dedup_key: messageOf().threadId,
    payload: { summary: 'Checkout errors up in shop', source: 'Shop', severity: 'error' },
  });
  const remote = { dedupKey: messageOf().threadId };
  expect(first.attempted.outcome).toEqual({ kind: 'delivered', remote });
  for (const [state, action] of [
    ['acknowledged', 'acknowledge'],
    ['resolved', 'resolve'],
  ] as const) {
    const { requests } = await exchange(pagerduty, { ...CONFIG, region: 'eu' }, accepted, {
      message: messageOf({ state }),
      previous: remote,
    });
    expect(requests[0]?.url).toBe('https://events.eu.pagerduty.com/v2/enqueue');
    expect(readBody(Change, requests[0])).toMatchObject({ event_action: action, dedup_key: remote.dedupKey });
  }
});

it('resolves the alert of a test at once', async () => {
  const message = messageOf({ type: 'test', state: 'notice', severity: 'info' });
  const { requests } = await exchange(pagerduty, CONFIG, accepted, { message });
  expect(requests).toHaveLength(2);
  expect(readBody(Trigger, requests[0]).payload.severity).toBe('info');
  expect(readBody(Change, requests[1]).event_action).toBe('resolve');
});

it('cuts what PagerDuty would refuse, and reads its refusals', async () => {
  const { requests } = await exchange(pagerduty, CONFIG, accepted, { message: longMessage() });
  const { summary } = readBody(Trigger, requests[0]).payload;
  expect(Array.from(summary).length).toBeLessThanOrEqual(1_024);
  expect(Buffer.byteLength(String(requests[0]?.body))).toBeLessThan(512_000);
  const invalid = await exchange(pagerduty, CONFIG, () => answer(400, { status: 'invalid event' }));
  expect(invalid.attempted.outcome).toMatchObject({ kind: 'permanent', isTargetRefused: false });
  const busy = await exchange(pagerduty, CONFIG, () => answer(429));
  expect(busy.attempted.outcome.kind).toBe('retry');
});
