import { describe, expect, it } from 'vitest';
import type { Event } from '../../../lib/api-types.ts';
import { anEvidence } from '../testing.ts';
import { affectedThen, countAffected, nameAffected } from './affected.ts';

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
    projectId: 'proj_1',
    organizationId: 'org_1',
    capturedAt: '2026-11-21T12:00:00.000Z',
    receivedAt: '2026-11-21T12:00:00.000Z',
  };
}

describe('whom an incident hits', () => {
  it('counts affected users by correlation, most events first, with the key of each', () => {
    const one = eventOf({ user_id: 7, order_id: 'ord_1' }, 'ord_1');
    const other = eventOf({ user_id: 7 }, '7');
    expect(countAffected([one, other, other])).toEqual({
      affected: [
        { correlationId: '7', key: 'user_id', count: 2 },
        { correlationId: 'ord_1', key: 'order_id', count: 1 },
      ],
      anonymous: 0,
    });
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
    expect(affectedThen(anEvidence({ correlationIds }))).toEqual([
      { correlationId: 'ord_1', key: null, count: 7 },
    ]);
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
  ])('words the affected of keys %j as %s', (keys, words) => {
    expect(of(...keys)).toBe(words);
  });
});
