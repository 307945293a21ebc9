import { describe, expect, it } from 'vitest';
import { affectedThen, countAffected, groupAffected, nameAffected, searchOfAffected } from './affected.ts';
import type { Event } from './api-types.ts';

function eventOf(correlation: Record<string, unknown>, correlationId: string): Event {
  return {
    id: 'evt_1',
    type: 'checkout',
    severity: 'error',
    source: null,
    message: 'It failed',
    payload: {},
    correlation,
    correlationId,
    fingerprint: '00000000000000ff',
    groupId: null,
    release: null,
    environment: 'production',
    projectId: 'proj_1',
    organizationId: 'org_1',
    amount: null,
    capturedAt: '2026-11-21T12:00:00.000Z',
    receivedAt: '2026-11-21T12:00:00.000Z',
    changed: [],
    scrubbed: {},
    weight: 1,
  };
}

describe('whom an incident hits', () => {
  it('counts an event for its user as well as for its order, most events first', () => {
    const one = eventOf({ user_id: 7, order_id: 'ord_1' }, 'ord_1');
    const other = eventOf({ user_id: 7 }, '7');
    expect(countAffected([one, other, other])).toEqual({
      affected: [
        { correlationId: '7', key: 'user_id', count: 3 },
        { correlationId: 'ord_1', key: 'order_id', count: 1 },
      ],
      anonymous: 0,
    });
  });

  it('counts a user once per event, and no empty id', () => {
    const events = [
      eventOf({ user_id: 'a', customer_id: 'c' }, 'a'),
      eventOf({ user_id: '', customer_id: null }, '00000000000000ff'),
    ];
    expect(countAffected(events)).toEqual({
      affected: [
        { correlationId: 'a', key: 'user_id', count: 1 },
        { correlationId: 'c', key: 'customer_id', count: 1 },
      ],
      anonymous: 1,
    });
  });

  it('links to the events with an id under its key, or else to those of the correlation', () => {
    expect(searchOfAffected({ key: 'user_id', correlationId: '7' })).toEqual({ 'correlation.user_id': '7' });
    expect(searchOfAffected({ key: null, correlationId: '7' })).toEqual({ correlation_id: '7' });
    const long = 'x'.repeat(1_000);
    expect(searchOfAffected({ key: 'user_id', correlationId: long })).toEqual({ correlation_id: long });
  });

  it('counts no affected users where events carry no correlation', () => {
    expect(countAffected([eventOf({}, '00000000000000ff')])).toEqual({ affected: [], anonymous: 1 });
  });

  it('names no key where none holds the value', () => {
    const [found] = countAffected([eventOf({ order_id: 'other' }, 'ord_1')]).affected;
    expect(found?.key).toBeNull();
  });

  it('takes the affected users from the evidence when the events are gone', () => {
    const correlationIds = [{ correlationId: 'ord_1', events: 7 }];
    expect(affectedThen({ correlationIds })).toEqual([{ correlationId: 'ord_1', key: null, count: 7 }]);
  });
});

describe('how many an incident affects', () => {
  const of = (...keys: (string | null)[]) =>
    nameAffected(keys.map((key, index) => ({ correlationId: String(index), key, count: 1 })));

  it.each([
    [['user_id'], '1 user'],
    [['user_id', 'user_id'], '2 users'],
    [['order_id', 'order_id'], '2 orders'],
    [['user_id', 'order_id'], '2 different ids'],
    [['tenant'], '1 id'],
    [[null, null], '2 different ids'],
  ])('describes affected ids of the keys %j as %s', (keys, words) => {
    expect(of(...keys)).toBe(words);
  });
});

describe('the affected by key', () => {
  const of = (key: string, ...counts: number[]) =>
    counts.map((count, index) => ({ correlationId: `${key} ${index}`, key, count }));

  it('ranks the ids of each key separately, and lists people first', () => {
    const groups = groupAffected([...of('tenant', 4), ...of('order_id', 9), ...of('user_id', 3, 2)]);
    expect(groups.map(({ key, affected }) => [key, affected.length])).toEqual([
      ['user_id', 2],
      ['order_id', 1],
      ['tenant', 1],
    ]);
  });

  it.each([
    [[7], true],
    [[11, 9, 7, 5, 4, 3, 1], true],
    [Array.from({ length: 151 }, () => 1), false],
    [[17, 17, 16, 15, 15, 12, 12, 11], false],
    [[7, ...Array.from({ length: 150 }, () => 2)], false],
    [[90, ...Array.from({ length: 20 }, () => 2)], true],
  ])('says whether one of the counts %j stands out: %s', (counts, expected) => {
    expect(groupAffected(of('user_id', ...counts))[0]?.standsOut).toBe(expected);
  });
});
