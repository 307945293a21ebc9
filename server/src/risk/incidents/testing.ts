import { type Anomaly, DOWN, eventsSeries, UP } from '@tocsin/detector';
import type { Evidence, RiskSeries } from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { attachSeries, toEvidence } from '../headline/evidence.ts';
import { type OpenedAlarm, toAttached } from '../headline/opened-alarm.ts';
import type { IncidentPlan } from './plan-incidents.ts';

/** Incidents in every state, and plans of every kind, for tests. */

export const NOW_MS = Date.UTC(2026, 0, 5, 12);
const NUMBER = 7;

export const TOTAL: RiskSeries = {
  kind: 'total',
  type: null,
  severity: null,
  source: null,
  fingerprint: null,
};
export const CHECKOUT = eventsSeries('checkout', 'error', 'shop');
export const MAIL = eventsSeries('mail', 'error', 'post');
const PAYMENT = eventsSeries('payment', 'error', 'bank');
const NEW_ERROR: RiskSeries = { ...CHECKOUT, kind: 'new_kind', fingerprint: 'f' };
const RULE: RiskSeries = { ...CHECKOUT, kind: 'rule', severity: 'critical' };

export function alarm(series: RiskSeries, observed: number, changes: Partial<Anomaly> = {}): OpenedAlarm {
  const anomaly: Anomaly = {
    rule: 'rise',
    side: UP,
    observed,
    expected: 2,
    windowMinutes: 1,
    falseAlarmsPerWeek: 0.1,
    strength: 1,
    usualMinutes: null,
    example: null,
    matched: null,
    ...changes,
  };
  return { kind: 'attaches', incident: NUMBER, series, anomaly, atMs: NOW_MS };
}

export const newError = alarm(NEW_ERROR, 1, { rule: 'new_kind', example: 'boom' });
export const critical = alarm(RULE, 1, {
  rule: 'at_least',
  expected: 1,
  matched: { type: 'checkout', source: null },
});
export const silence = alarm(CHECKOUT, 0, { rule: 'silence', side: DOWN, expected: 50 });

/** Evidence of an alarm whose events are not counted. */
export function evidenceOf(opened: OpenedAlarm, nowMs = NOW_MS): Evidence & StoredEvidence {
  return toEvidence(opened, { newestEvents: [], shiftMs: 0, nowMs, count: null, group: null, release: null });
}

const evidenceBefore = (opened: OpenedAlarm) => evidenceOf(opened, NOW_MS - 60 * MINUTE_MS);

export function incident(changes: Partial<IncidentRow> = {}): IncidentRow {
  const at = new Date(NOW_MS - 60 * MINUTE_MS);
  return {
    id: '0190a000-0000-7000-8000-000000000001',
    organizationId: 'organization',
    projectId: 'project',
    title: 'Rise: checkout errors from shop',
    titleOrigin: 'generated',
    severity: 'error',
    status: 'open',
    origin: 'risk',
    scheduleId: null,
    links: [],
    eventCount: 20,
    evidence: evidenceBefore(alarm(CHECKOUT, 20)),
    type: 'checkout',
    source: 'shop',
    previousIncidentId: null,
    investigatorId: null,
    riskNumber: NUMBER,
    createdAt: at,
    updatedAt: at,
    resolvedAt: null,
    ...changes,
  };
}

const young = { createdAt: new Date(NOW_MS - 5 * MINUTE_MS) };
const ofNewError = {
  title: 'New error: boom',
  severity: 'warn',
  eventCount: 1,
  evidence: evidenceBefore(newError),
} as const;
export const STATES = {
  'no incident': null,
  open: incident(),
  'open, with a title by a person': incident({ title: 'Shop is down', titleOrigin: 'person' }),
  'open, made critical by a person': incident({ severity: 'critical' }),
  'open, lowered by a person': incident({ severity: 'info' }),
  investigating: incident({ status: 'investigating' }),
  resolved: incident({ status: 'resolved', resolvedAt: new Date(NOW_MS - MINUTE_MS) }),
  'a new error': incident({ ...ofNewError, ...young }),
  'a new error with a title by a person': incident({
    ...ofNewError,
    ...young,
    title: 'Boom!',
    titleOrigin: 'person',
  }),
  'a new error since long': incident({
    ...ofNewError,
    createdAt: new Date(NOW_MS - 5 * MINUTE_MS - 1),
  }),
  'a rise of the total': incident({ evidence: evidenceBefore(alarm(TOTAL, 20)), type: null, source: null }),
  'with an attached series': incident({
    evidence: attachSeries(evidenceBefore(alarm(CHECKOUT, 20)), [toAttached(alarm(MAIL, 5), 0, NOW_MS)]),
  }),
} satisfies Record<string, IncidentRow | null>;

export function opening(...opened: OpenedAlarm[]): IncidentPlan {
  return { kind: 'alarms', incident: NUMBER, opened, furtherEvents: 0 };
}

export const PLANS = {
  nothing: opening(),
  'further events': { kind: 'alarms', incident: NUMBER, opened: [], furtherEvents: 3 },
  'the same series': opening(alarm(CHECKOUT, 5)),
  'a milder series': opening(alarm(MAIL, 5)),
  'a worse series': opening(alarm(PAYMENT, 400)),
  'a critical event': opening(critical),
  'a new error': opening(newError),
  'a rise of the total': opening(alarm(TOTAL, 500)),
  'its end': { kind: 'ends', incident: NUMBER },
} satisfies Record<string, IncidentPlan>;
