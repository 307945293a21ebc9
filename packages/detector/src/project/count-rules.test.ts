import { describe, expect, it } from 'vitest';
import { CountRules } from './count-rules.ts';

const MINUTE_MS = 60_000;
const RULE = { type: 'order', severity: null, source: null, events: 10, minutes: 5 };
const orders = (minute: number, count: number, type = 'order') => ({
  type,
  severity: 'info' as const,
  source: 'shop',
  bucketMs: minute * MINUTE_MS,
  lastMs: minute * MINUTE_MS,
  count,
});

function rulesOf(...rules: (typeof RULE)[]): CountRules {
  const counted = new CountRules([]);
  counted.setRules(rules);
  return counted;
}

describe('the rules of a project', () => {
  it('fulfils a rule with the event that completes its count within its window', () => {
    const rules = rulesOf(RULE);
    expect(rules.count(orders(0, 6))).toEqual([]);
    expect(rules.count(orders(1, 9, 'refund'))).toEqual([]);
    expect(rules.count(orders(4, 4))).toMatchObject([
      { rule: RULE, anomaly: { observed: 10, expected: 10 } },
    ]);
  });

  it('forgets events of a rule that are older than its window', () => {
    const rules = rulesOf(RULE);
    rules.count(orders(0, 9));
    expect(rules.count(orders(5, 9))).toEqual([]);
  });

  it('fulfils a rule once, until it was quiet for an hour', () => {
    const rules = rulesOf(RULE);
    expect(rules.count(orders(0, 10))).toHaveLength(1);
    expect(rules.count(orders(1, 10))).toEqual([]);
    expect(rules.openRulesMatching(orders(2, 1))).toEqual([RULE]);
    expect(rules.advance(61 * MINUTE_MS)).toEqual([]);
    expect(rules.advance(61 * MINUTE_MS + 1)).toEqual([RULE]);
    expect(rules.count(orders(70, 10))).toHaveLength(1);
  });

  it('counts a changed rule anew, and reports the one that is gone', () => {
    const rules = rulesOf(RULE);
    rules.count(orders(0, 9));
    const changed = { ...RULE, events: 11 };
    expect(rules.setRules([changed])).toEqual([RULE]);
    expect(rules.count(orders(0, 9))).toEqual([]);
  });

  it('counts anew after a person has resolved the incident', () => {
    const rules = rulesOf(RULE);
    rules.count(orders(0, 10));
    rules.rearm(RULE);
    expect(rules.count(orders(0, 9))).toEqual([]);
    expect(rules.count(orders(0, 1))).toHaveLength(1);
  });
});
