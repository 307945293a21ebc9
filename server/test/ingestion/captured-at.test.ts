import { describe, expect, it } from 'vitest';
import { StillClock } from '../support/clock.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { anEvent, storedEvent } from './support.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('the time of capture', async () => {
  const service = await startTestService({ clock: new StillClock(NOW) });
  const user = await service.signUp();
  const { ingest } = await user.createProject();
  const send = (capturedAt: unknown) => ingest.post('/ingest/events', anEvent({ capturedAt }));
  const iso = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

  it.each([
    ['now', 0],
    ['7 days ago', -7 * DAY_MS],
    ['5 minutes ahead', 5 * MINUTE_MS],
    ['some time between', -123_456_789],
  ])('accepts %s as capturedAt, beside the time of receipt', async (_what, offsetMs) => {
    const stored = await storedEvent(user, await send(iso(offsetMs)));
    expect(stored).toMatchObject({ capturedAt: iso(offsetMs), receivedAt: iso(0) });
  });

  it.each<[string, unknown]>([
    ['a millisecond older than 7 days', iso(-7 * DAY_MS - 1)],
    ['a millisecond over 5 minutes ahead', iso(5 * MINUTE_MS + 1)],
    ['of another century', '1999-12-31T23:59:59Z'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['no time at all', 'yesterday'],
    ['empty', ''],
    ['a number', NOW],
    ['null', null],
    ['an extended year', '+012026-11-21T09:30:00Z'],
    ['the hour 24', '2026-11-20T24:00:00Z'],
    ['a leap second', '2026-11-20T23:59:60Z'],
    ['in another notation', '11/21/2026'],
    ['very long', `2026-11-21T09:30:00.${'0'.repeat(100)}Z`],
  ])('refuses %s as capturedAt', async (_what, capturedAt) => {
    expectInvalid(await send(capturedAt), '/capturedAt');
  });

  it.each([
    ['another zone', '2026-11-21T11:30:00+02:00', '2026-11-21T09:30:00.000Z'],
    ['no zone, which is UTC', '2026-11-21T09:29:00', '2026-11-21T09:29:00.000Z'],
    ['a date alone', '2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['more than milliseconds', '2026-11-21T09:29:59.123456789Z', '2026-11-21T09:29:59.123Z'],
  ])('accepts capturedAt in ISO 8601 with %s', async (_what, text, expected) => {
    expect((await storedEvent(user, await send(text))).capturedAt).toBe(expected);
  });

  it('uses the time of receipt as capturedAt by default', async () => {
    const stored = await storedEvent(user, await ingest.post('/ingest/events', anEvent()));
    expect(stored).toMatchObject({ capturedAt: iso(0), receivedAt: iso(0) });
  });

  it('accepts capturedAt in a line of a bulk body under the same rules', async () => {
    const answer = await ingest.post('/ingest/bulk', [
      anEvent({ capturedAt: iso(-DAY_MS) }),
      anEvent({ capturedAt: iso(-8 * DAY_MS) }),
    ]);
    expect(answer.body[1]).toMatchObject({ error: { code: 'validation_failed' } });
    const stored = await storedEvent(user, { ...answer, body: answer.body[0] });
    expect(stored.capturedAt).toBe(iso(-DAY_MS));
  });

  it('ignores capturedAt at the other endpoints', async () => {
    const answer = await ingest.post('/ingest/webhook', {
      source: 's',
      event: 'e',
      payload: {},
      capturedAt: iso(-DAY_MS),
    });
    expect((await storedEvent(user, answer)).capturedAt).toBe(iso(0));
  });
});
