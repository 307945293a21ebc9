import { describe, expect, it } from 'vitest';
import type { AttachedSeries, RiskSeries } from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import { requestOf, toCurrent, trendOf } from './current.ts';
import type { SeriesMinute } from './queries.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** Half a minute into a minute. */
const NOW_MS = Date.UTC(2026, 0, 5, 12) + 30_000;
const THIS_MINUTE_MS = NOW_MS - 30_000;
const CHECKOUT: RiskSeries = {
  kind: 'events',
  type: 'checkout',
  severity: 'error',
  source: 'shop',
  fingerprint: null,
};
const MAIL: RiskSeries = { ...CHECKOUT, type: 'mail', source: 'post' };

function attached(series: RiskSeries): AttachedSeries {
  return {
    ...series,
    rule: 'at_least',
    alarmSeverity: 'error',
    observed: 20,
    expected: 2,
    peak: 20,
    windowSeconds: 60,
    from: isoTime(THIS_MINUTE_MS - MINUTE_MS),
    at: isoTime(THIS_MINUTE_MS),
    exposure: null,
    message: null,
  };
}

function evidenceSince(minutes: number, particulars: Partial<StoredEvidence> = {}): StoredEvidence {
  return {
    sentence: '',
    rule: 'rise',
    series: CHECKOUT,
    observed: 50,
    expected: 6,
    windowSeconds: 180,
    from: isoTime(THIS_MINUTE_MS - minutes * MINUTE_MS),
    to: isoTime(NOW_MS),
    falseAlarmsPerWeek: null,
    exposure: null,
    escalation: null,
    group: null,
    release: null,
    alsoSeries: [attached(MAIL)],
    sampleEventIds: [],
    correlationIds: [],
    ...particulars,
  };
}

/** Counts of a series in the minutes up to the current one, the newest last. */
function minutes(index: number, ...counts: number[]): SeriesMinute[] {
  return counts.map((events, place) => ({
    index,
    minuteMs: THIS_MINUTE_MS - (counts.length - 1 - place) * MINUTE_MS,
    events,
  }));
}

function currentOf(evidence: StoredEvidence, recent: SeriesMinute[], headline = recent) {
  const request = requestOf(evidence, Date.parse(evidence.from), NOW_MS);
  if (!request) throw new Error('The series has counts.');
  const own = headline.filter(({ index }) => index === 0);
  return toCurrent(evidence, request, { recent, headline: own }, NOW_MS);
}

describe('toCurrent', () => {
  it('compares the last five minutes with the expected count, and shows the minute with the most', () => {
    const recent = [
      ...minutes(0, 0, 0, 0, 90, 40, 20, 20, 20, 10, 4),
      ...minutes(1, 3, 0),
      ...minutes(2, 50, 50, 50, 50, 48),
    ];
    expect(currentOf(evidenceSince(8), recent)).toEqual({
      at: isoTime(NOW_MS),
      windowSeconds: 270,
      observed: 74,
      perMinute: 16.44,
      expected: 9,
      trend: 'falling',
      peak: { perMinute: 90, at: isoTime(THIS_MINUTE_MS - 6 * MINUTE_MS) },
      share: 29.84,
      series: [{ ...MAIL, observed: 3, perMinute: 2, expected: null, trend: 'steady' }],
    });
  });

  it('says of a young incident whether it gets worse, not that it is worse than before it', () => {
    const trendOfRise = (...counts: number[]) =>
      currentOf(evidenceSince(counts.length - 1), minutes(0, 0, 0, ...counts)).trend;
    expect(trendOfRise(80, 50, 40, 15)).toBe('falling');
    expect(trendOfRise(40, 40, 40, 20)).toBe('steady');
    expect(trendOfRise(20, 40, 60, 40)).toBe('rising');
    expect(trendOfRise(80)).toBe('rising');
  });

  it('counts since the beginning of an incident that is younger, over one minute at least', () => {
    const recent = minutes(0, 0, 0, 300);
    expect(currentOf(evidenceSince(0), recent)).toMatchObject({
      windowSeconds: 60,
      observed: 300,
      perMinute: 300,
      expected: 2,
      trend: 'rising',
      peak: { perMinute: 300 },
    });
  });

  it('shows the deepest whole minute of a drop', () => {
    const evidence = evidenceSince(3, { rule: 'drop', expected: 300, alsoSeries: [] });
    expect(currentOf(evidence, minutes(0, 100, 100, 100, 100, 100, 100, 60, 12, 80, 1))).toMatchObject({
      observed: 153,
      peak: { perMinute: 12, at: isoTime(THIS_MINUTE_MS - 2 * MINUTE_MS) },
      trend: 'falling',
    });
  });

  it('gives failed payments as a share of all payments, and expects no number of them', () => {
    const series: RiskSeries = { ...CHECKOUT, kind: 'failed_payments', type: 'payment', severity: null };
    const evidence = evidenceSince(10, { rule: 'failed_payments', series, alsoSeries: [] });
    expect(currentOf(evidence, [...minutes(0, 19), ...minutes(1, 20)])).toMatchObject({
      observed: 19,
      share: 95,
      expected: null,
    });
  });

  it('looks for the peak in the last day, and follows eight attached series', () => {
    const alsoSeries = Array.from({ length: 20 }, (_, index) => attached({ ...MAIL, source: `${index}` }));
    const request = requestOf(
      evidenceSince(3_000, { alsoSeries }),
      THIS_MINUTE_MS - 3_000 * MINUTE_MS,
      NOW_MS,
    );
    expect(request?.peakFromMs).toBe(THIS_MINUTE_MS - 24 * HOUR_MS);
    expect(request?.series).toHaveLength(10);
  });

  it('compares an attached series since it began itself, if another one leads since', () => {
    const mail = { ...attached(MAIL), from: isoTime(THIS_MINUTE_MS - 4 * MINUTE_MS) };
    const recent = [...minutes(0, 400, 0), ...minutes(1, 50, 50, 50, 50, 25)];
    expect(currentOf(evidenceSince(1, { alsoSeries: [mail] }), recent)).toMatchObject({
      windowSeconds: 90,
      trend: 'rising',
      series: [{ observed: 225, perMinute: 50, trend: 'steady' }],
    });
  });

  it('gives no values of a new error, whose type and source others have as well', () => {
    const alsoSeries = [attached({ ...MAIL, kind: 'new_kind', fingerprint: 'f' }), attached(MAIL)];
    const { series } = currentOf(evidenceSince(3, { alsoSeries }), minutes(1, 4));
    expect(series).toMatchObject([{ kind: 'events', observed: 4 }]);
  });

  it('knows nothing of series that are not told apart', () => {
    expect(
      requestOf(evidenceSince(3, { series: { ...CHECKOUT, kind: 'other' } }), NOW_MS, NOW_MS),
    ).toBeNull();
  });
});

describe('trendOf', () => {
  it.each([
    [100, 100, 'steady'],
    [5, 1, 'steady'],
    [120, 101, 'steady'],
    [12_000, 10_500, 'steady'],
    [150, 100, 'rising'],
    [9, 0, 'rising'],
    [60, 100, 'falling'],
  ] as const)('compares %d events with %d before: %s', (now, before, trend) => {
    expect(trendOf({ events: now, lengthMs: 300 }, { events: before, lengthMs: 300 })).toBe(trend);
    expect(trendOf({ events: now, lengthMs: 300 }, { events: 2 * before, lengthMs: 600 })).toBe(trend);
  });

  it('finds a steady rate where nothing is known of the time before', () => {
    expect(trendOf({ events: 9, lengthMs: 60 }, { events: 0, lengthMs: 0 })).toBe('steady');
  });
});
