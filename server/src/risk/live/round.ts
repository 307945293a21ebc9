import {
  type Arrivals,
  advance,
  type CountDelta,
  type DetectorEvent,
  type ErrorDelta,
  ProjectDetector,
  STEP_MS,
  type UnlearnedTime,
} from '@tocsin/detector';
import { createRoundOutcome, type RoundOutcome } from '../incidents/outcome.ts';
import type { RiskSettings } from '../settings/schema.ts';
import { groupValues } from './group-values.ts';
import type { FormerState } from './rebuild-queries.ts';

/** Beginning of a detector. */
export interface Beginning {
  projectId: string;
  settings: RiskSettings;
  /** Number of its first incident. */
  firstIncident: number;
  /** Taken over from the detector before; missing: there is none, or it failed. */
  former?: FormerState;
}

/**
 * Complete input of the detectors at once; plain JSON. Their state and their events follow from the rounds alone, so
 * a worker that takes over applies those since the state was saved, and has the state of the last one.
 */
export interface Round {
  id: number;
  /** Version of the detector that applied it. */
  version: number;
  /** Projects that are watched from now on. */
  begun: Beginning[];
  /** Settings that were changed. */
  set: { projectId: string; settings: RiskSettings }[];
  /** Incidents that people have resolved. */
  resolved: { projectId: string; incident: number }[];
  counts: Record<string, CountDelta[]>;
  errors: Record<string, ErrorDelta[]>;
  /** Lateness of events, for sources that deliver late; missing: none. */
  arrivals?: Record<string, Arrivals>;
  /** Number of series that projects tell apart from now on, if it has changed: see `limitSeries`. */
  maxSeries?: Record<string, number>;
  /** All times from which series of projects learn nothing, if they have changed: see `setUnlearned`. */
  unlearned?: Record<string, UnlearnedTime[]>;
  /** Beginning of the time that this round covers. */
  sinceMs: number;
  /** End of the time that this round covers. */
  timeMs: number;
  /** Intervals [from, to) of it whose counts say nothing: no process accepted events, or one could not store them. */
  downtimes: [number, number][];
  /** Offloaded projects that are evaluated although no event came. */
  visited?: string[];
  /** Projects that could not be evaluated, or whose incidents could not be written: they are suspended. */
  failed?: string[];
}

/**
 * A project is watched from its first count on, but from no longer ago: each minute is evaluated, while nothing else
 * is. Two days contain the time of day; the project learns the rest of the week as it goes.
 */
const MAX_BEGINNING_MS = 2 * 24 * 60 * STEP_MS;
/** So long incidents of the detector before stay open while the project waits for being rebuilt. */
const MAX_KEPT_MS = 6 * 60 * STEP_MS;

/** Work that yields at each step of a project: see `inTurns`. */
type Steps<T> = Generator<undefined, T>;

/**
 * Applies a round. Each project is evaluated by itself: an exception in one stops no other.
 * @param projectIds projects that it is applied to
 * @param pastDowntimes downtimes before the round, for a detector that was offloaded meanwhile
 * @returns the outcomes by project; projects without any are left out
 */
export function* applyRound(
  detectors: Map<string, ProjectDetector>,
  round: Round,
  projectIds: Iterable<string> = new Set([
    ...round.begun.map((begun) => begun.projectId),
    ...detectors.keys(),
  ]),
  pastDowntimes: [number, number][] = [],
): Steps<Map<string, RoundOutcome>> {
  const changes = changesOf(round);
  const outcomes = new Map<string, RoundOutcome>();
  for (const projectId of projectIds) {
    if (round.failed?.includes(projectId)) {
      detectors.delete(projectId);
      continue;
    }
    try {
      const begun = changes.begun.get(projectId);
      if (begun) detectors.set(projectId, begin(begun, round));
      const detector = detectors.get(projectId);
      if (!detector) continue;
      const maxSeries = round.maxSeries?.[projectId];
      if (maxSeries !== undefined) detector.limitSeries(maxSeries);
      const unlearned = round.unlearned?.[projectId];
      if (unlearned) detector.setUnlearned(unlearned);
      for (const settings of changes.set.get(projectId) ?? []) detector.set(settings);
      for (const incident of changes.resolved.get(projectId) ?? []) detector.resolve(incident);
      const before = begun ? [] : yield* catchUp(detector, round.sinceMs, pastDowntimes);
      const outcome = yield* applyTo(detector, round, projectId);
      outcome.detectorEvents = [...before, ...outcome.detectorEvents];
      const { detectorEvents, added, lateEvents, lateSources } = outcome;
      if (detectorEvents.length > 0 || added.size > 0 || lateEvents > 0 || lateSources)
        outcomes.set(projectId, outcome);
    } catch (fault) {
      detectors.delete(projectId);
      outcomes.set(projectId, { ...createRoundOutcome(), fault });
    }
    yield;
  }
  return outcomes;
}

/**
 * Lets the time pass for which a detector was offloaded. Changes by people meanwhile come first, as if they had been
 * made when the detector was offloaded: nothing joins an incident that was resolved.
 */
export function* catchUp(
  detector: ProjectDetector,
  timeMs: number,
  downtimes: [number, number][],
): Steps<DetectorEvent[]> {
  const detectorEvents: DetectorEvent[] = [];
  yield* collect(advance(detector, [], { untilMs: timeMs, gaps: downtimes }), detectorEvents);
  return detectorEvents;
}

/** Changes of a round beside counts, by project. */
function changesOf({ begun, set, resolved }: Round) {
  return {
    begun: new Map(begun.map((beginning) => [beginning.projectId, beginning])),
    set: groupValues(set.map(({ projectId, settings }) => [projectId, settings])),
    resolved: groupValues(resolved.map(({ projectId, incident }) => [projectId, incident])),
  };
}

function begin({ projectId, settings, firstIncident, former }: Beginning, round: Round): ProjectDetector {
  const counts = round.counts[projectId] ?? [];
  const firstMs = counts.reduce((first, { bucketMs }) => Math.min(first, bucketMs), Number.POSITIVE_INFINITY);
  const startMs = counts.length > 0 ? Math.max(firstMs, round.timeMs - MAX_BEGINNING_MS) : round.timeMs;
  const detector = new ProjectDetector(startMs, settings, undefined, firstIncident);
  if (former) {
    const attachedAtMs = round.timeMs + MAX_KEPT_MS;
    const { incidents, lateSources } = former;
    detector.adopt({ incidents, nextNumber: firstIncident, attachedAtMs, sinceMs: 0 });
    detector.adoptLateSources(lateSources);
  }
  return detector;
}

function* applyTo(detector: ProjectDetector, round: Round, projectId: string): Steps<RoundOutcome> {
  const detectorEvents: DetectorEvent[] = [];
  const counts = (round.counts[projectId] ?? []).toSorted((left, right) => left.bucketMs - right.bucketMs);
  const errors = (round.errors[projectId] ?? []).toSorted((left, right) => left.atMs - right.atMs);
  const { timeMs: untilMs, downtimes } = round;
  const lastMs = Math.min(untilMs, counts.at(-1)?.bucketMs ?? 0);
  const inOrder = recordInOrder(detector, counts, errors);
  const lateEvents = yield* collect(
    advance(detector, inOrder, { untilMs: lastMs, gaps: downtimes }),
    detectorEvents,
  );
  const arrivals = round.arrivals?.[projectId];
  if (arrivals) detector.recordArrivals(arrivals);
  yield* collect(advance(detector, [], { untilMs, gaps: downtimes }), detectorEvents);
  for (const event of detector.evaluatePartialStep()) detectorEvents.push(event);
  return {
    detectorEvents,
    added: detector.takeAdditionalEvents(),
    lateEvents,
    open: detector.incidents,
    lateSources: detector.takeSteadyLateSources(),
  };
}

/** The counts, with each error group inserted after the counts that came before it: a round may span an hour. */
function* recordInOrder(
  detector: ProjectDetector,
  counts: CountDelta[],
  errors: ErrorDelta[],
): Generator<CountDelta, void> {
  let seen = 0;
  const seeBefore = (timeMs: number) => {
    for (let error = errors[seen]; error && error.atMs < timeMs; error = errors[++seen])
      detector.recordError(error);
  };
  for (const delta of counts) {
    seeBefore(delta.bucketMs);
    yield delta;
  }
  seeBefore(Number.POSITIVE_INFINITY);
}

/** Gathers the events of each step, and yields after each. */
function* collect<T>(steps: Generator<DetectorEvent[], T>, detectorEvents: DetectorEvent[]): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    for (const event of step.value) detectorEvents.push(event);
    yield;
  }
}
