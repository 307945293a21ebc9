import { attach } from '../project/alarm-grouping.ts';
import type { Alarm, AlarmSubject } from '../project/alarm-subject.ts';
import { anomalyOfSeries } from '../project/anomaly.ts';
import type { Surroundings } from '../project/incident-relations.ts';
import { createOpenIncidents, detach, takeEnded } from '../project/open-incidents.ts';
import { TOTAL, weightOf } from '../project/series-key.ts';
import { severityOf } from '../project/severity.ts';
import { UP } from '../state/side.ts';
import type { Severity } from '../types.ts';
import { advance } from './advance.ts';
import { countsOf, LoneSeries } from './lone-series.ts';
import { LongSeries, MIN_LONG_MINUTES } from './long-series.ts';

/** Counts at equal steps. */
export interface PastCounts {
  startMs: number;
  stepMinutes: number;
  /** Counts by step; NaN: not known. */
  counts: ArrayLike<number>;
}

export interface PastIncident {
  openedAtMs: number;
  /** Null where it was still open at the end. */
  resolvedAtMs: number | null;
  direction: 'up' | 'down';
  observed: number;
  expected: number;
  windowSeconds: number;
  severity: Severity;
}

/** Share of a series in the budget of its project, beside the total. */
const SHARE = 1 / (1 + weightOf(TOTAL, 1));
const SUBJECT: AlarmSubject = { kind: 'series', index: 0 };
const ALONE: Surroundings = { isCommonType: () => true, isSharedMovement: () => false };

/**
 * Returns the incidents that would have opened for a series that is alone in its project, by the functions that evaluate
 * live series. An incident opens, and resolves, at the beginning of the step that decided it.
 */
export function replay({ startMs, stepMinutes, counts }: PastCounts, budgetPerWeek: number): PastIncident[] {
  const budget = budgetPerWeek * SHARE;
  const isLong = stepMinutes >= MIN_LONG_MINUTES;
  const series = isLong
    ? new LongSeries(startMs, stepMinutes, budget)
    : new LoneSeries(startMs, stepMinutes, budget);
  const open = createOpenIncidents();
  const found = new Map<number, PastIncident>();
  const deltas = countsOf(counts, startMs, series.stepLengthMs);
  const untilMs = startMs + counts.length * series.stepLengthMs;
  for (const changes of advance(series, deltas, { untilMs, gaps: [] })) {
    const atMs = series.stepMs - series.stepLengthMs;
    for (const change of changes) {
      if (change.kind === 'closes') detach(open, { subject: SUBJECT, side: change.side });
      if (change.kind !== 'opens') continue;
      const { side, observed, expected } = change;
      const alarm: Alarm = { subject: SUBJECT, side };
      const anomaly = anomalyOfSeries(series.resolution, change, null);
      const { incident, isNew } = attach(open, { alarm, series: TOTAL, anomaly, atMs }, ALONE);
      if (!isNew) continue;
      found.set(incident.number, {
        openedAtMs: atMs,
        resolvedAtMs: null,
        direction: side === UP ? 'up' : 'down',
        observed,
        expected,
        windowSeconds: (anomaly.windowMinutes / series.resolution.stepMinutes) * stepMinutes * 60,
        severity: severityOf(side, observed, expected),
      });
    }
    for (const number of open.incidents.length > 0 ? takeEnded(open, atMs) : []) {
      const incident = found.get(number);
      if (incident) incident.resolvedAtMs = atMs;
    }
  }
  return [...found.values()];
}
