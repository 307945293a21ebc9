import type { Evidence, IncidentDetail, RiskSeries } from '../../lib/api-types.ts';

/** Returns a series for tests: errors of a type by default. */
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

type JoinedSeries = Evidence['alsoSeries'][number];

/** Returns a series that joined an incident, for tests: a rise by default. */
export function anAttached(particulars: Partial<JoinedSeries> = {}): JoinedSeries {
  return {
    ...aSeries(),
    rule: 'rise',
    alarmSeverity: 'error',
    observed: 50,
    expected: 6,
    peak: 50,
    windowSeconds: 180,
    from: '2026-11-21T12:00:00.000Z',
    at: '2026-11-21T12:03:00.000Z',
    exposure: null,
    message: null,
    isSuperset: false,
    ...particulars,
  };
}

/** Returns the evidence of an incident, for tests: a rise by default. */
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

/** Returns an incident that the detector opened, for tests: it counts errors of a type by default. */
export function anIncident(particulars: Partial<IncidentDetail> = {}): IncidentDetail {
  return {
    id: 'inc_1',
    title: 'Card was declined in checkout',
    titleOrigin: 'generated',
    severity: 'error',
    status: 'open',
    projectId: 'proj_1',
    organizationId: 'org_1',
    origin: 'risk',
    scheduleId: null,
    links: [],
    lead: { kind: 'series', series: aSeries() },
    since: '2026-11-21T12:01:00.000Z',
    until: null,
    eventCount: 42,
    mainGroup: null,
    rate: { observed: 14, usual: 2, unit: 'per_minute' },
    release: null,
    eventsQuery: { says: 'counted', params: { incident_id: 'inc_1' } },
    evidence: anEvidence(),
    current: null,
    facts: null,
    previousIncidentId: null,
    investigatorId: null,
    createdAt: '2026-11-21T12:03:00.000Z',
    updatedAt: '2026-11-21T12:04:00.000Z',
    resolvedAt: null,
    timeline: [],
    ...particulars,
  };
}
