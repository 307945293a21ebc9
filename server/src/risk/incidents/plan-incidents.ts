import { type Finding, severityOfAlarm, UP, type Verdict } from '@tocsin/detector';
import { type Severity, worst } from '../../events/severity.ts';
import type { RiskSeries } from '../../incidents/schema.ts';

/** An alarm that has opened, with what speaks for it. */
export type Told = Extract<Verdict, { kind: 'opens' | 'joins' }>;

/** What verdicts mean for one incident of a project, in the order in which it is done. */
export interface IncidentPlan {
  /** Its number within the project. */
  incident: number;
  /** Alarms that have opened in it. */
  told: Told[];
  /** Further events of alarms that were open already. */
  raisedBy: number;
  isOver: boolean;
}

/** By incident, in the order in which they are first spoken of. */
export function planIncidents(verdicts: Verdict[], raised: Map<number, number>): IncidentPlan[] {
  const plans = new Map<number, IncidentPlan>();
  const planOf = (incident: number) => {
    const plan = plans.get(incident) ?? { incident, told: [], raisedBy: 0, isOver: false };
    plans.set(incident, plan);
    return plan;
  };
  for (const [incident, events] of raised) planOf(incident).raisedBy = events;
  for (const verdict of verdicts) {
    if (verdict.kind === 'opens' || verdict.kind === 'joins') planOf(verdict.incident).told.push(verdict);
    if (verdict.kind === 'ends') planOf(verdict.incident).isOver = true;
  }
  return [...plans.values()];
}

/** What says most to a person comes first: what is narrow before what is the sum of many. */
const ORDER: RiskSeries['kind'][] = [
  'rule',
  'events',
  'failed_payments',
  'errors',
  'new_kind',
  'other',
  'total',
];

/**
 * Of alarms that opened at once, the one that the incident is told by. Errors that are spread over many series are
 * told by their sum where no series has half of them.
 */
export function leadOf(told: [Told, ...Told[]]): Told {
  const errors = told.find(({ series, finding }) => series.kind === 'errors' && finding.side === UP);
  const rank = ({ series, finding }: Told) => {
    const isPart =
      errors &&
      series.kind === 'events' &&
      finding.side === UP &&
      2 * finding.observed < errors.finding.observed;
    return isPart ? ORDER.length : ORDER.indexOf(series.kind);
  };
  const [lead] = told.toSorted(
    (left, right) => rank(left) - rank(right) || right.finding.strength - left.finding.strength,
  );
  return lead ?? told[0];
}

export function worstOf(told: Told[]): Severity {
  return told.reduce<Severity>(
    (severity, { series, finding }) => worst(severity, severityOfAlarm(series, finding)),
    'info',
  );
}

/** How many events are behind alarms: sums hold the others, and shares and silences count none. */
export function countEvents(told: Told[]): number {
  const counts = told.filter(({ finding }) => finding.side === UP && finding.rule !== 'failed_payments');
  const observed = (kinds: RiskSeries['kind'][]) =>
    counts.filter(({ series }) => kinds.includes(series.kind)).map(({ finding }) => finding.observed);
  const parts = observed(['events', 'other']).reduce((sum, count) => sum + count, 0);
  const largest = (kinds: RiskSeries['kind'][]) =>
    observed(kinds).reduce((most, count) => Math.max(most, count), 0);
  const most = Math.max(parts, largest(['errors', 'rule', 'new_kind']));
  return Math.round(most > 0 ? most : largest(['total']));
}

/** The end of what was judged, which for a burst lies ahead. */
export function spanOf({ atMs, finding }: { atMs: number; finding: Finding }, nowMs: number) {
  return { fromMs: Math.floor(atMs - finding.windowMinutes * 60_000), toMs: Math.min(atMs, nowMs) };
}
