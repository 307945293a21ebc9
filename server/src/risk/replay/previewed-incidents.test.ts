import { type Anomaly, eventsSeries, UP } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { PreviewedIncidents } from './previewed-incidents.ts';

const aRule = (type: string): RiskSeries => ({
  kind: 'rule',
  type,
  severity: null,
  source: null,
  fingerprint: null,
});

function anAnomaly(changes: Partial<Anomaly> = {}): Anomaly {
  return {
    rule: 'at_least',
    side: UP,
    observed: 5,
    expected: 5,
    windowMinutes: 10,
    falseAlarmsPerWeek: null,
    strength: 1,
    usualMinutes: null,
    example: null,
    matched: { type: 'x', source: null },
    ...changes,
  };
}

/** An incident that the first series opens, which the others join minute by minute. */
function preview(first: RiskSeries, others: [RiskSeries, Partial<Anomaly>?][], minutesApart = 1) {
  const incidents = new PreviewedIncidents(0);
  incidents.take({ kind: 'opens', incident: 1, atMs: 0, series: first, anomaly: anAnomaly() });
  others.forEach(([series, changes], index) => {
    const atMs = (index + 1) * minutesApart * MINUTE_MS;
    incidents.take({ kind: 'attaches', incident: 1, atMs, series, anomaly: anAnomaly(changes) });
  });
  return incidents.newestFirst()[0];
}

describe('the incidents of a preview', () => {
  it('lists every rule that attached to a previewed incident, also where a rule opened it', () => {
    const rules = ['refund', 'chargeback', 'dispute'].map(aRule);
    expect(
      preview(
        aRule('order'),
        rules.map((rule) => [rule]),
      ),
    ).toMatchObject({
      series: aRule('order'),
      alsoSeries: rules,
      alsoSeriesCount: 3,
    });
    expect(
      preview(
        eventsSeries('checkout', 'error', 'shop'),
        rules.map((rule) => [rule]),
      )?.alsoSeries,
    ).toEqual(rules);
  });

  it('lists every rule that matched in the minute in which the incident opened', () => {
    const rules = ['refund', 'chargeback'].map(aRule);
    expect(
      preview(
        aRule('order'),
        rules.map((rule) => [rule]),
        0,
      ),
    ).toMatchObject({
      series: aRule('order'),
      alsoSeries: rules,
    });
  });

  it('lists a series that attached again and again once, and what attached after it', () => {
    const flapping = eventsSeries('checkout', 'error', 'shop');
    const joined: [RiskSeries][] = Array.from({ length: 40 }, () => [flapping]);
    expect(preview(aRule('order'), [...joined, [aRule('refund')]])).toMatchObject({
      alsoSeries: [flapping, aRule('refund')],
      alsoSeriesCount: 2,
    });
  });

  it('names twenty further series of a previewed incident, and says how many there were', () => {
    const rules = Array.from({ length: 25 }, (_, index) => aRule(`type-${index}`));
    const incident = preview(
      aRule('order'),
      rules.map((rule) => [rule]),
    );
    expect(incident?.alsoSeries).toEqual(rules.slice(0, 20));
    expect(incident?.alsoSeriesCount).toBe(25);
  });

  it('gives a previewed incident the severity of its worst series, however late that attached', () => {
    const flapping = eventsSeries('signup', 'info', 'shop');
    const joined: [RiskSeries, Partial<Anomaly>][] = Array.from({ length: 40 }, () => [
      flapping,
      { rule: 'rise' },
    ]);
    const critical = { ...aRule('outage'), severity: 'critical' } as const;
    expect(preview(aRule('order'), [...joined, [critical]])?.severity).toBe('critical');
  });
});
