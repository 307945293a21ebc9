import { describe, expect, it } from 'vitest';
import type { Current, IncidentDetail } from '../../../lib/api-types.ts';
import { anIncident, aSeries } from '../testing.ts';
import { describeNow, describeNumbers, describeShareNow, isAboutShare } from './current-words.ts';

const CURRENT: Current = {
  at: '2026-11-21T12:05:00.000Z',
  windowSeconds: 300,
  observed: 60,
  perMinute: 12,
  expected: 10,
  trend: 'rising',
  peak: { perMinute: 20, at: '2026-11-21T12:01:00.000Z' },
  release: null,
  share: 3.75,
  series: [],
};

const formatTime = (timeMs: number) => new Date(timeMs).toISOString().slice(11, 16);
const describeAll = (particulars: Partial<IncidentDetail>) => {
  const numbers = describeNumbers(anIncident(particulars), formatTime);
  return numbers && [numbers.main, numbers.isNow ? 'now' : 'at first', ...numbers.details].join(' · ');
};

describe('describeNumbers', () => {
  it('describes the present rate, the usual rate, the worst minute, the trend, and the share', () => {
    expect(describeAll({ current: CURRENT })).toBe(
      '12/min · now · usually 2 · peak 20/min at 12:01 · rising · 4% of all events',
    );
  });

  it('gives the present and the usual rate in the unit in which they are one or more', () => {
    const rare = { ...CURRENT, perMinute: 0.2, peak: null, share: null, trend: 'steady' } as const;
    const rate = { observed: 0.2, usual: 0.02, unit: 'per_minute' } as const;
    expect(describeAll({ current: rare, rate })).toBe('12/h · now · usually 1.2 · steady');
    const none = { ...rare, observed: 0, perMinute: 0 };
    expect(describeAll({ current: none, rate })).toBe('none · now · usually 1.2/h · steady');
  });

  it('names the lowest minute of a drop, and says once of a silence that there are no events', () => {
    const lead = { kind: 'absence', series: aSeries() } as const;
    const drop = { ...CURRENT, share: null, peak: { perMinute: 0, at: CURRENT.at } };
    expect(describeAll({ current: drop, lead })).toContain('lowest none at 12:05 · rising');
    const silent = { ...drop, observed: 0, perMinute: 0, trend: 'steady' } as const;
    expect(describeAll({ current: silent, lead })).toBe('none · now · usually 2/min');
  });

  it('gives shares of payments without a count', () => {
    const payments = { ...CURRENT, expected: null, share: 23 } as const;
    const rate = { observed: 35, usual: 1.1, unit: 'percent' } as const;
    expect(describeAll({ current: payments, rate })).toBe('23% of payments · now · usually 1.1% · rising');
    expect(describeAll({ rate })).toBe('35% of payments · at first · usually 1.1%');
  });

  it('gives the first rate once an incident is over, and none if nothing is counted', () => {
    expect(describeAll({})).toBe('14/min · at first · usually 2');
    expect(describeAll({ rate: { observed: 40, usual: null, unit: 'per_minute' } })).toBe(
      '40/min · at first',
    );
    expect(describeAll({ rate: null })).toBeNull();
  });
});

describe('what is observed of a series that joined', () => {
  it('gives the rate and the trend of a series that joined, and only the trend beside a share', () => {
    expect(describeNow({ observed: 60, perMinute: 12, trend: 'falling' })).toBe('12/min, falling');
    expect(describeNow({ observed: 0, perMinute: 0, trend: 'steady' })).toBe('none');
    expect(describeShareNow(CURRENT)).toBe('rising');
    expect(describeShareNow({ ...CURRENT, trend: 'steady' })).toBeNull();
    expect(describeShareNow({ ...CURRENT, observed: 0 })).toBe('none');
  });

  it.each(['error_share', 'above_share', 'failed_payments'] as const)(
    'gives no rate beside the share of the rule %s',
    (rule) => {
      expect(isAboutShare(rule)).toBe(true);
    },
  );

  it('gives the rate beside the count of a rule about counts', () => {
    expect((['rise', 'at_least', 'silence'] as const).filter(isAboutShare)).toEqual([]);
  });
});
