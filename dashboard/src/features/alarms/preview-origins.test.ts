import { describe, expect, it } from 'vitest';
import { groupByOrigin, type OriginIncident } from './preview-origins.ts';

const series = { kind: 'events', type: null, severity: 'critical', source: null, fingerprint: null } as const;
const anIncident = (
  rule: OriginIncident['rule'],
  particulars: Partial<OriginIncident> = {},
): OriginIncident => ({
  rule,
  series,
  expected: 1,
  windowSeconds: 60,
  ...particulars,
});

describe('the incidents of a preview', () => {
  it.each<[OriginIncident['rule'][], string[]]>([
    [[], ['0 from detection']],
    [['rise', 'silence'], ['2 from detection']],
    [
      ['rise', 'at_least', 'at_least'],
      ['1 from detection', '2 from your rule “any critical event”'],
    ],
    [
      ['drop', 'new_kind'],
      ['1 from detection', '1 from errors never seen before'],
    ],
  ])('separates incidents of rules %j from those of detection: %j', (rules, words) => {
    expect(groupByOrigin(rules.map((rule) => anIncident(rule))).map(({ count }) => count)).toEqual(words);
  });

  it('separates the incidents of each rule, the most frequent first', () => {
    const errors = { ...series, type: 'checkout', severity: 'error' } as const;
    const often = { series: errors, expected: 10, windowSeconds: 300 };
    const groups = groupByOrigin([
      anIncident('at_least'),
      anIncident('at_least', often),
      anIncident('at_least', often),
    ]);
    expect(groups.map(({ name, incidents }) => [name, incidents.length])).toEqual([
      ['Detection', 0],
      ['at least 10 checkout errors in 5 min', 2],
      ['any critical event', 1],
    ]);
  });
});
