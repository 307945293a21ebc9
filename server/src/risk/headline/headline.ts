import { isErrorSeries, severityOfAlarm } from '@tocsin/detector';
import { type AttachedSeries, seriesKey } from '../../incidents/evidence-schema.ts';
import { sinceOf } from '../../incidents/lead.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { alarmOf, type OpenedAlarm, severityOfEvidence, sideOf } from './opened-alarm.ts';
import { countSources, MIN_SOURCES } from './places.ts';
import { type Badness, type Change, isClearlyWorse, isPartOf, leadOf, ratioOf } from './ranking.ts';

/** Alarm that gives an incident its title, series and evidence, with the reason for its choice. */
export type Headline =
  /** The worst of those with which the incident begins. */
  | { kind: 'first'; alarm: OpenedAlarm }
  /** The incident opened with a new error, which a moment later turns out to be the beginning of this alarm. */
  | { kind: 'grown'; alarm: OpenedAlarm }
  /** Clearly worse than the current headline. */
  | { kind: 'worse'; alarm: OpenedAlarm };

/** Maximum age of an incident at which an escalation replaces its new error. */
const GROWING_MS = 5 * MINUTE_MS;
/** Minimum time between two changes of the headline. */
const KEPT_MS = 3 * MINUTE_MS;

/**
 * Returns null if the headline stays as it is, or no alarm has opened.
 * @param opened null: all alarms of the incident have closed
 * @param clock `shiftMs`: how far the detectors' time is ahead of the clocks
 */
export function chooseHeadline(
  row: IncidentRow | null,
  opened: OpenedAlarm[] | null,
  { nowMs, shiftMs }: { nowMs: number; shiftMs: number },
): Headline | null {
  if (!opened || row?.status === 'resolved') return null;
  if (!row) {
    const alarm = leadOf(opened);
    return alarm && { kind: 'first', alarm };
  }
  const { evidence } = row;
  if (!evidence) return null;
  if (evidence.rule === 'new_kind' && nowMs - row.createdAt.getTime() <= GROWING_MS) {
    const alarm = leadOf(opened.filter(({ series }) => series.kind !== 'new_kind'));
    if (alarm) return { kind: 'grown', alarm };
  }
  const changedMs = evidence.headlineAt === undefined ? null : Date.parse(evidence.headlineAt);
  if (changedMs !== null && nowMs - changedMs < KEPT_MS) return null;
  // Series that were attached while the headline was kept have not been compared with it.
  const waiting = changedMs === null ? [] : attachedBetween(evidence, changedMs, changedMs + KEPT_MS);
  const candidates = [...opened, ...waiting.map((attached) => alarmOf(attached, shiftMs))];
  const alarm = leadOf(clearlyWorseThan(row, evidence, candidates, nowMs));
  return alarm && { kind: 'worse', alarm };
}

function attachedBetween(evidence: StoredEvidence, fromMs: number, toMs: number): AttachedSeries[] {
  return evidence.alsoSeries.filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) <= toMs);
}

function clearlyWorseThan(
  row: IncidentRow,
  evidence: StoredEvidence,
  alarms: OpenedAlarm[],
  nowMs: number,
): OpenedAlarm[] {
  const { series, rule, observed, expected, windowSeconds, alsoSeries } = evidence;
  const anomaly = { rule, side: sideOf(rule), observed, expected, windowMinutes: windowSeconds / 60 };
  const current: Current = {
    change: { series, anomaly },
    isTraffic: rule === 'rise' && !isErrorSeries(series),
    sources: countSources(alsoSeries),
  };
  const ratio = Math.max(ratioOf(evidence), ratioSince(row, evidence, nowMs));
  const badness: Badness = { severity: severityOfEvidence(evidence), ratio };
  return alarms.filter((alarm) => {
    const severity = severityOfAlarm(alarm.series, alarm.anomaly);
    const reasons = severity === badness.severity ? [...EXCLUDED, ...EXCLUDED_OF_EQUAL_SEVERITY] : EXCLUDED;
    return (
      !reasons.some((isExcluded) => isExcluded(alarm, current)) &&
      isClearlyWorse({ severity, ratio: ratioOf(alarm.anomaly) }, badness)
    );
  });
}

/** The current headline, as alarms are compared with it. */
interface Current {
  change: Change;
  /** True for a rise of anything but errors. */
  isTraffic: boolean;
  /** Number of sources that take part. */
  sources: number;
}

type Exclusion = (alarm: OpenedAlarm, current: Current) => boolean;

/** Alarms that never become the headline. */
const EXCLUDED: readonly Exclusion[] = [
  ({ series }, { change }) => seriesKey(series) === seriesKey(change.series),
  // It says no more than the part of it that is the headline.
  (alarm, { change }) => isPartOf(change, alarm),
  // Errors in proportion to the traffic follow from it.
  ({ anomaly }, { isTraffic }) => isTraffic && anomaly.exposure?.isInProportion === true,
];

/** Alarms that become the headline at a higher severity only, since they say less. */
const EXCLUDED_OF_EQUAL_SEVERITY: readonly Exclusion[] = [
  // They name no place.
  ({ series }) => series.kind === 'total' || series.kind === 'other',
  // A rise of a part says less than a rise of everything, even if the part has risen further.
  ({ series, anomaly }, { change, isTraffic, sources }) =>
    isTraffic &&
    change.series.kind === 'total' &&
    sources >= MIN_SOURCES &&
    anomaly.rule === 'rise' &&
    !isErrorSeries(series),
  // As among alarms that open together: the sum of errors leads until one part makes up half of its change.
  (alarm, { change }) =>
    change.series.kind === 'errors' &&
    change.anomaly.rule !== 'at_least' &&
    isErrorEvents(alarm) &&
    !isPartOf(alarm, change),
];

/** True for a rise of a series of errors, in number or share. */
function isErrorEvents({ series, anomaly: { rule } }: OpenedAlarm): boolean {
  return series.kind === 'events' && isErrorSeries(series) && (rule === 'rise' || rule === 'error_share');
}

/** The ratio of a rise since it began. */
function ratioSince(row: IncidentRow, evidence: StoredEvidence, nowMs: number): number {
  if (evidence.rule !== 'rise') return 1;
  const { eventCount } = row;
  const windows = Math.max(1, (nowMs - sinceOf(row).getTime()) / (evidence.windowSeconds * 1_000));
  return ratioOf({ rule: 'rise', observed: eventCount, expected: evidence.expected * windows });
}

/** A former headline as one of the attached series. */
export function toFormerHeadline(evidence: StoredEvidence): AttachedSeries {
  const { series, rule, observed, expected, windowSeconds, from, to, exposure, sentence } = evidence;
  const { ruleName, renamedTo } = evidence;
  return {
    ...series,
    rule,
    alarmSeverity: severityOfEvidence(evidence),
    observed,
    expected,
    peak: observed,
    windowSeconds,
    from,
    at: to,
    exposure,
    ...(ruleName !== undefined && { ruleName }),
    ...(renamedTo !== undefined && { renamedTo }),
    message: rule === 'new_kind' ? (sentence.match(/: “(.*)”\.$/)?.[1] ?? null) : null,
  };
}
