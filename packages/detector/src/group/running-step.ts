import { type AlarmChange, NO_CHANGES } from '../series/alarm-state.ts';
import { resetRise } from '../series/error-series.ts';
import { raiseLevel } from '../series/level.ts';
import { evaluatePartialStep, staysUneventful, usualCount } from '../series/series-detector.ts';
import type { PartialContext, Workspace } from '../series/workspace.ts';
import { MAX_COUNT } from '../state/count.ts';
import type { TrackedSeries } from './tracked-series.ts';

/** True if the running step is known to be as uneventful as it was found before. */
export function isKnownUneventful({ count, uneventfulCount }: TrackedSeries, latest: number): boolean {
  return Math.max(count, latest) <= uneventfulCount;
}

/** Evaluates a series within the running step, and notes up to which count it need not be evaluated again. */
export function evaluateCounts(
  tracked: TrackedSeries,
  context: PartialContext & { latest: number },
  workspace: Workspace,
): AlarmChange[] {
  const { resolution, position, latest } = context;
  const { state, count } = tracked;
  const most = Math.max(count, latest);
  const usual = usualCount(state, resolution, position);
  if (most <= usual) {
    tracked.uneventfulCount = usual;
    return NO_CHANGES;
  }
  const changes = evaluatePartialStep(state, context, count, workspace);
  if (changes.length > 0) return changes;
  const further = { countSoFar: count, upTo: most + 1 + Math.floor(most / 2) };
  if (staysUneventful(state, context, further, workspace)) tracked.uneventfulCount = further.upTo;
  return NO_CHANGES;
}

/** Adds late events, which are not evaluated: they fill what the step lacks, and no more. */
export function addLateEvents(tracked: TrackedSeries, events: number): void {
  tracked.lateCount = Math.min(MAX_COUNT, tracked.lateCount + events);
}

/** Makes a series expect at least so many events a step. */
export function raiseLevelTo({ state, resolution }: TrackedSeries, perStep: number): void {
  const missing = perStep - state.level;
  if (missing > 0) raiseLevel(state, resolution, missing);
}

/** Resets a rise whose incident a person has resolved: see `resetRise`. */
export function rearmTracked(tracked: TrackedSeries): void {
  resetRise(tracked.state);
  tracked.count = 0;
  tracked.isPartial = true;
}

/** Closes a rise within the running step: only the rest of the step is known. */
export function closeRise(tracked: TrackedSeries): void {
  if (tracked.count > 0) rearmTracked(tracked);
  else resetRise(tracked.state);
}
