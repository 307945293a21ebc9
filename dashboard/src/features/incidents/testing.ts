import type { AttachedSeries, Evidence, RiskSeries } from '../../lib/api-types.ts';

/** A series for tests: errors of a type, unless they say otherwise. */
export function aSeries(particulars: Partial<RiskSeries> = {}): RiskSeries {
  return {
    kind: 'events',
    type: 'checkout',
    severity: 'error',
    source: null,
    fingerprint: null,
    ...particulars,
  };
}

/** A series that is attached to an incident, for tests: without numbers, unless they say otherwise. */
export function anAttached(particulars: Partial<AttachedSeries> = {}): AttachedSeries {
  return {
    ...aSeries(),
    rule: null,
    alarmSeverity: null,
    observed: null,
    expected: null,
    peak: null,
    windowSeconds: null,
    from: null,
    at: null,
    exposure: null,
    message: null,
    ...particulars,
  };
}

/** Why an incident opened, for tests: a rise, unless they say otherwise. */
export function anEvidence(particulars: Partial<Evidence> = {}): Evidence {
  return {
    sentence: '`checkout` errors are 7× normal: 42 in 3 min, usually about 6.',
    rule: 'rise',
    series: aSeries(),
    observed: 42,
    expected: 6,
    windowSeconds: 180,
    from: '2026-11-21T12:00:00.000Z',
    to: '2026-11-21T12:03:00.000Z',
    falseAlarmsPerWeek: 0.02,
    alsoSeries: [],
    escalation: null,
    group: null,
    release: null,
    exposure: null,
    sampleEventIds: [],
    correlationIds: [],
    ...particulars,
  };
}
