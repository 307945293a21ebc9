import { usualRateOf } from '../series/recent-counts.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { UP } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import type { Alarm, AlarmRating } from './alarm-subject.ts';
import { type Anomaly, anomalyOfSeries, anomalyOfShare } from './anomaly.ts';
import { besideCounts } from './new-source.ts';
import type { ProjectParts } from './project-parts.ts';
import { isWorse, severityOfAlarm, worstOf } from './severity.ts';

type Rated = Alarm & { rating: AlarmRating };

/**
 * Reports each open alarm again whose trouble is worse by now than any window in which it was reported: the same
 * cause has the same severity, regardless of the window that found it first. Each severity is reported once, so at most
 * twice an alarm: from a warning to an error, and on to a critical one.
 */
export function reportRisenSeverities(parts: ProjectParts, atMs: number): void {
  const alarms = parts.tracker.openIncidents.flatMap(({ number, open }) =>
    open.map((alarm) => ({ number, alarm })),
  );
  for (const { number, alarm } of alarms) {
    const { rating, subject } = alarm;
    if (!rating || (subject.kind !== 'series' && subject.kind !== 'share')) continue;
    const series = parts.registry.seriesAt(subject.index);
    if (!isWorse(worstOf(series, alarm.side), rating.severity)) continue;
    const isOfCounts = subject.kind === 'series' && series.kind !== 'failed_payments';
    const anomaly = isOfCounts
      ? findExcess(parts, { ...alarm, rating }, subject.index, atMs)
      : findShareExcess(parts, subject.index, series);
    if (!anomaly) continue;
    const severity = severityOfAlarm(series, anomaly);
    if (!isWorse(severity, rating.severity)) continue;
    rating.severity = severity;
    parts.tracker.reportAgain(number, { series, anomaly, atMs });
  }
}

/** Returns the excess within the longest window, against the usual rate of now or of before, whichever is nearer to the counts. */
function findExcess(
  { group: ofMinutes, sparse, registry, shares }: ProjectParts,
  { side, coarseStep, isSilence, rating }: Rated,
  index: number,
  atMs: number,
): Anomaly | null {
  const group = coarseStep ? sparse.groupOf(coarseStep) : ofMinutes;
  if (isSilence || !group.series.has(index)) return null;
  const { resolution } = group;
  const tracked = group.series.read(index);
  const position = seasonalPositionOf(resolution, atMs - MINUTE_MS);
  const before = rating.usualPerMinute * resolution.stepMinutes;
  const now = usualRateOf(tracked.state, { resolution, position, side });
  const isNearer = now !== null && (side === UP ? now > before : now < before);
  const excess = tracked.latestExcess(side, isNearer ? now : before);
  if (excess.knownSteps === 0) return null;
  const found = { side, window: 0, ...excess, evidence: 1, openThreshold: 1 };
  const anomaly = anomalyOfSeries(resolution, found, null);
  return { ...anomaly, ...besideCounts({ registry, group: ofMinutes, shares }, index, anomaly, atMs) };
}

function findShareExcess({ shares }: ProjectParts, index: number, series: RiskSeries): Anomaly | null {
  const excess = shares.latestExcessOf(index);
  return excess && anomalyOfShare(excess, series.kind === 'failed_payments', null);
}
