import { describe, expect, it } from 'vitest';
import type { CountRule, FieldCondition } from '../types.ts';
import { type CountDelta, fieldKey } from './count-delta.ts';
import { CountRules } from './count-rules.ts';

const MINUTE_MS = 60_000;
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
const orders = (minute: number, count: number, type = 'order'): CountDelta => ({
  type,
  severity: 'info',
  source: 'shop',
  bucketMs: minute * MINUTE_MS,
  lastMs: minute * MINUTE_MS,
  count,
});

function rulesOf(...rules: CountRule[]): CountRules {
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
    expect(rules.openRulesMatching(orders(2, 1))).toEqual([{ rule: RULE, events: 1 }]);
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

  it('keeps the counts and the alarm of a rule that gets another name', () => {
    const rules = rulesOf(RULE);
    rules.count(orders(0, 9));
    expect(rules.setRules([{ ...RULE, name: 'Many orders' }])).toEqual([]);
    expect(rules.count(orders(1, 1))).toMatchObject([{ anomaly: { ruleName: 'Many orders' } }]);
  });
});

const FIELD: FieldCondition = { path: ['status'], operator: 'equals', value: 'failed' };
const FAILED: CountRule = { ...RULE, field: FIELD };
const failedOf = (minute: number, failed: number, count: number): CountDelta => ({
  ...orders(minute, count),
  ...(failed > 0 && { fields: { [fieldKey(FIELD)]: failed } }),
});

describe('a rule about a field of the payload', () => {
  it('counts only the events that fulfil its condition', () => {
    const rules = rulesOf(FAILED);
    expect(rules.count(failedOf(0, 0, 1_000))).toEqual([]);
    expect(rules.count(failedOf(1, 9, 1_000))).toEqual([]);
    expect(rules.count(failedOf(2, 1, 1_000))).toMatchObject([{ anomaly: { observed: 10, expected: 10 } }]);
    expect(rules.openRulesMatching(failedOf(3, 2, 500))).toEqual([{ rule: FAILED, events: 2 }]);
    expect(rules.openRulesMatching(failedOf(3, 0, 500))).toEqual([]);
  });

  it('counts nothing for conditions of other rules', () => {
    const rules = rulesOf(FAILED);
    const others = { [fieldKey({ ...FIELD, operator: 'not' })]: 50 };
    expect(rules.count({ ...orders(0, 50), fields: others })).toEqual([]);
  });
});

describe('a rule about a share', () => {
  const SHARE: CountRule = { ...FAILED, percent: 5, events: 20 };

  it('opens above its share of the events, and not at it', () => {
    const rules = rulesOf(SHARE);
    rules.count(failedOf(0, 5, 100));
    expect(rules.evaluateShares()).toEqual([]);
    rules.count(failedOf(1, 1, 2));
    expect(rules.evaluateShares()).toMatchObject([
      {
        rule: SHARE,
        anomaly: { rule: 'above_share', expected: 5, exposure: { events: 102, failures: 6 } },
      },
    ]);
    rules.count(failedOf(2, 1, 2));
    expect(rules.evaluateShares()).toEqual([]);
  });

  it('does not open with fewer events than its minimum, however many of them match', () => {
    const rules = rulesOf(SHARE);
    rules.count(failedOf(0, 19, 19));
    expect(rules.evaluateShares()).toEqual([]);
    rules.count(failedOf(5, 19, 19));
    expect(rules.evaluateShares()).toEqual([]);
  });

  it('compares one severity with the events of all severities of its type, once all have come', () => {
    const rules = rulesOf({ ...RULE, severity: 'error', percent: 50, events: 20 });
    expect(rules.count({ ...orders(0, 30), severity: 'error' })).toEqual([]);
    rules.count(orders(0, 30));
    expect(rules.evaluateShares()).toEqual([]);
    rules.count({ ...orders(1, 1), severity: 'error' });
    expect(rules.evaluateShares()).toHaveLength(1);
    expect(rules.openRulesMatching(orders(2, 5))).toEqual([]);
  });
});
