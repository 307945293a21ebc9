import { isErrorSeries, severityOfAlarm } from '@tocsin/detector';
import { type AttachedSeries, type RiskSeries, seriesKey } from '../../incidents/evidence-schema.ts';
import { sinceOf } from '../../incidents/lead.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import { alarmOf, type OpenedAlarm, severityOfEvidence, sideOf } from './opened-alarm.ts';
import { countSources, MIN_SOURCES } from './places.ts';
import { type Badness, isClearlyWorse, isPartOf, leadOf, ratioOf } from './ranking.ts';

/** Alarm that gives an incident its title, series and evidence, with the reason for its choice. */
export type Headline =
  /** The worst of those with which the incident begins. */
  | { kind: 'first'; alarm: OpenedAlarm }
  /** The incident opened with a new error, which a moment later turns out to be the beginning of this alarm. */
  | { kind: 'outgrown'; alarm: OpenedAlarm }
  /** Clearly worse than the current headline. */
  | { kind: 'worse'; alarm: OpenedAlarm };

/** Maximum age of an incident at which an escalation replaces its new error. */
const OUTGROWING_MS = 5 * MINUTE_MS;
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
  if (evidence.rule === 'new_kind' && nowMs - row.createdAt.getTime() <= OUTGROWING_MS) {
    const alarm = leadOf(opened.filter(({ series }) => series.kind !== 'new_kind'));
    if (alarm) return { kind: 'outgrown', alarm };
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

/** Series that name no place: of equal severity any other headline says more. */
const VAGUE: ReadonlySet<RiskSeries['kind']> = new Set(['total', 'other']);

function clearlyWorseThan(
  row: IncidentRow,
  evidence: StoredEvidence,
  alarms: OpenedAlarm[],
  nowMs: number,
): OpenedAlarm[] {
  const { series, rule, observed, expected, windowSeconds } = evidence;
  const headline = {
    series,
    anomaly: { rule, side: sideOf(rule), observed, expected, windowMinutes: windowSeconds / 60 },
  };
  const current: Badness = {
    severity: severityOfEvidence(evidence),
    ratio: Math.max(ratioOf(evidence), ratioSince(row, evidence, nowMs)),
  };
  // Errors in proportion to the traffic follow from it.
  const isTraffic = rule === 'rise' && !isErrorSeries(series);
  // A rise of a part says less than a rise of everything, even if the part has risen further.
  const isBroad = isTraffic && series.kind === 'total' && countSources(evidence.alsoSeries) >= MIN_SOURCES;
  return alarms.filter((alarm) => {
    const severity = severityOfAlarm(alarm.series, alarm.anomaly);
    const isPartOfBroad = isBroad && alarm.anomaly.rule === 'rise' && !isErrorSeries(alarm.series);
    // As among alarms that open together: the sum of errors leads until one part makes up half of its change.
    const isSmallPart =
      series.kind === 'errors' && isErrorEvents(alarm) && !isPartOf(alarm, headline) && rule !== 'at_least';
    const saysLess = VAGUE.has(alarm.series.kind) || isPartOfBroad || isSmallPart;
    const isVague = saysLess && severity === current.severity;
    return (
      !isVague &&
      !(alarm.anomaly.exposure?.isInProportion && isTraffic) &&
      seriesKey(alarm.series) !== seriesKey(series) &&
      !isPartOf(headline, alarm) &&
      isClearlyWorse({ severity, ratio: ratioOf(alarm.anomaly) }, current)
    );
  });
}

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
export function toFormerHeadline(evidence: StoredEvidence, { createdAt }: IncidentRow): AttachedSeries {
  const { series, rule, observed, expected, windowSeconds, from, headlineAt, exposure, sentence } = evidence;
  return {
    ...series,
    rule,
    alarmSeverity: severityOfEvidence(evidence),
    observed,
    expected,
    peak: observed,
    windowSeconds,
    from,
    at: headlineAt ?? isoTime(createdAt),
    exposure,
    message: rule === 'new_kind' ? (sentence.match(/: “(.*)”\.$/)?.[1] ?? null) : null,
  };
}
