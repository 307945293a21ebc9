/*
 * The public surface: nothing else of this package is for others. Begin with `ProjectDetector` and `advance`, which
 * moves it through counts and time.
 */

/* The detector of a project, and its saving. */

export { MAX_AHEAD_STEPS, ProjectDetector } from './project/project-detector.ts';
export { STEP_MS } from './project/project-parts.ts';
export { advance } from './replay/advance.ts';
export { fromBytes, toBytes } from './saving/snapshot.ts';
export { MAX_UNKNOWN_STEPS } from './state/resolution.ts';
export { DEFAULT_SETTINGS } from './types.ts';
export { DETECTOR_VERSION } from './version.ts';

/* Past counts: the incidents that would have opened, and what was expected. */

export { expectMinutes } from './replay/expectation.ts';
export { mayOpen } from './replay/may-open.ts';
export { type PastCounts, type PastIncident, replay } from './replay/replay.ts';
export { scoreSteps } from './replay/score-steps.ts';
export { usualShares } from './replay/usual-shares.ts';

/* Input and output. */

export type { LateReport } from './lateness/late-reports.ts';
export type { Arrivals, SteadyLateSource } from './lateness/late-sources.ts';
export type { SourceArrivals } from './lateness/observed-lateness.ts';
export type { Anomaly, DetectorEvent, Exposure } from './project/anomaly.ts';
export { type CountDelta, type ErrorDelta, fieldKey, type KnownError } from './project/count-delta.ts';
export type { FormerIncidents, ReopenedIncident } from './project/open-incidents.ts';
export { severityOfAlarm } from './project/severity.ts';
export type { UnlearnedTime } from './project/unlearned-times.ts';
export type { WatchedSeries } from './project/watched-series.ts';
export { DOWN, type Side, UP } from './state/side.ts';
export type { RiskSeries } from './types.ts';

/* Rules by which the counting of events tells series, payments, rules and imports apart, as the detector does. */

export {
  dispersionOf,
  findDifferingRelease,
  type ReleaseBefore,
  type ReleaseSlot,
} from './exposure/compare-shares.ts';
export type { LateEvents } from './lateness/late-reports.ts';
export { isImport, isImportTail, MAX_LATE_SOURCES } from './lateness/late-sources.ts';
export { LATE_MS, Lateness } from './lateness/lateness.ts';
export { CountRules, isCountedBy, seriesOfRule } from './project/count-rules.ts';
export { isPayment } from './project/payment-counts.ts';
export { eventsKey, eventsSeries, isErrorSeries } from './project/series-key.ts';
export { MAX_SERIES } from './project/series-registry.ts';
export { MIN_EVENTS } from './series/evidence.ts';
export { isCount, MAX_COUNT } from './state/count.ts';

/* One series by itself, whose cost is measured. */

export { SeriesGroup } from './group/series-group.ts';
export { SERIES_BYTES } from './state/series-layout.ts';
