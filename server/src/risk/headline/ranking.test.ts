import { describe, expect, it } from 'vitest';
import type { RiskRule } from '../../incidents/evidence-schema.ts';
import { isClearlyWorse, ratioOf } from './ranking.ts';

describe('ratioOf', () => {
  it.each<[RiskRule, number, number, number]>([
    ['rise', 1_911, 105, 18],
    ['rise', 3, 0.01, 4],
    ['rise', 0, 0, 1],
    ['drop', 10, 109, 10],
    ['silence', 0, 99, 100],
    ['failed_payments', 95, 2.2, 30],
    ['at_least', 9, 1, 5],
    ['at_least', 1, 10, 1],
    ['new_kind', 1, 0, 1],
  ])('compares, of a %s, %d with the expected %d: %d times', (rule, observed, expected, ratio) => {
    expect(ratioOf({ rule, observed, expected })).toBeCloseTo(ratio, 0);
  });
});

describe('isClearlyWorse', () => {
  it('compares the severity before the ratio, and asks for a ratio of 1.5 times the former', () => {
    const former = { severity: 'error', ratio: 10 } as const;
    expect(isClearlyWorse({ severity: 'critical', ratio: 1 }, former)).toBe(true);
    expect(isClearlyWorse({ severity: 'warn', ratio: 1_000 }, former)).toBe(false);
    expect(isClearlyWorse({ severity: 'error', ratio: 14.9 }, former)).toBe(false);
    expect(isClearlyWorse({ severity: 'error', ratio: 15 }, former)).toBe(true);
  });
});
