import { describe, expect, it } from 'vitest';
import type { FieldCount } from '../../events/read-types.ts';
import type { CountRule } from '../settings/schema.ts';
import { findOpenings } from './preview-rule.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 5);
const RULE: CountRule = {
  name: null,
  type: 'order',
  severity: null,
  source: null,
  field: null,
  percent: null,
  events: 10,
  minutes: 5,
};
const timeOf = (minute: number) => new Date(START_MS + minute * MINUTE_MS).toISOString();

/** Returns when a rule opens and ends incidents, by the minutes that have orders. */
function findTimes(orders: [minute: number, count: number][], toMinute: number, rule = RULE) {
  const counts = orders.map(([minute, count]): FieldCount => {
    return { bucketMs: START_MS + minute * MINUTE_MS, severity: 'info', count, matching: count };
  });
  return findOpenings(rule, counts, START_MS + toMinute * MINUTE_MS).map(({ openedAt, closedAt }) => [
    openedAt,
    closedAt,
  ]);
}

describe('the preview of a rule', () => {
  it('ends an incident after its quiet hour, not with the next event', () => {
    const orders: [number, number][] = [
      [0, 10],
      [3, 10],
      [600, 10],
    ];
    expect(findTimes(orders, 900)).toEqual([
      [timeOf(0), timeOf(64)],
      [timeOf(600), timeOf(661)],
    ]);
  });

  it('leaves an incident open whose quiet hour is not over', () => {
    expect(findTimes([[0, 10]], 60)).toEqual([[timeOf(0), null]]);
    expect(findTimes([[0, 10]], 61)).toEqual([[timeOf(0), timeOf(61)]]);
  });

  it('evaluates a share once all counts of its moment are known, the last one included', () => {
    const field: CountRule['field'] = { path: ['status'], operator: 'equals', value: 'failed' };
    const share = { ...RULE, field, percent: 50 };
    expect(findTimes([[0, 10]], 30, share)).toEqual([[timeOf(0), null]]);
    expect(
      findTimes(
        [
          [0, 10],
          [100, 1],
        ],
        200,
        share,
      ),
    ).toEqual([[timeOf(0), timeOf(61)]]);
  });
});
