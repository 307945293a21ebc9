import { isCount } from '../state/count.ts';
import { MAX_UNKNOWN_STEPS } from '../state/resolution.ts';

/** Detector that moves through time step by step: of a project, or of a single series. */
interface Stepped<Delta, Outcome> {
  /** Beginning of the step that runs. */
  readonly stepMs: number;
  readonly stepLengthMs: number;
  /** @returns false where the delta is too late to be evaluated, or no count */
  count(delta: Delta): boolean;
  /** @param isKnown false where the counts of these steps say nothing */
  endStepsBefore(timeMs: number, isKnown: boolean): Outcome[];
  skipTo(timeMs: number): void;
}

export interface AdvanceOptions {
  /** Time up to which steps end. */
  untilMs: number;
  /** Times, [from, to), whose counts say nothing, in the order of their beginnings. */
  gaps: readonly [number, number][];
}

/**
 * Moves a detector through counts and time: the one driver of live rounds, previews, replays, charts and benches. Each
 * count is taken in its step, and each step ends once. It yields the outcome of each step as the step ends, so that a long
 * replay can take turns with other work.
 * @param deltas in the order of time
 * @returns the number of events that were too late to be evaluated
 */
export function* advance<Delta extends { bucketMs: number; count: number }, Outcome>(
  detector: Stepped<Delta, Outcome>,
  deltas: Iterable<Delta>,
  { untilMs, gaps }: AdvanceOptions,
): Generator<Outcome[], number> {
  let lateEvents = 0;
  for (const delta of deltas) {
    const timeMs = Math.min(untilMs, delta.bucketMs);
    // Most counts belong to the running step.
    if (isOver(detector, timeMs)) yield* endSteps(detector, timeMs, gaps);
    if (!detector.count(delta) && isCount(delta.count)) lateEvents += delta.count;
  }
  yield* endSteps(detector, untilMs, gaps);
  return lateEvents;
}

function* endSteps<Outcome>(
  detector: Stepped<never, Outcome>,
  timeMs: number,
  gaps: readonly [number, number][],
): Generator<Outcome[], void> {
  const maxUnknownMs = MAX_UNKNOWN_STEPS * detector.stepLengthMs;
  while (isOver(detector, timeMs)) {
    const [fromMs, toMs] = [detector.stepMs, detector.stepMs + detector.stepLengthMs];
    const gap = gaps.find(([gapFromMs, gapToMs]) => gapFromMs < toMs && gapToMs > fromMs);
    const unknownUntilMs = Math.min(timeMs, gap?.[1] ?? 0);
    if (unknownUntilMs - fromMs > maxUnknownMs) detector.skipTo(unknownUntilMs - maxUnknownMs);
    else yield detector.endStepsBefore(toMs, gap === undefined);
  }
}

function isOver({ stepMs, stepLengthMs }: Stepped<never, unknown>, timeMs: number): boolean {
  return stepMs + stepLengthMs <= timeMs;
}
