import type { AlarmChange } from '../series/alarm-state.ts';
import { NO_CHANGES } from '../series/alarm-state.ts';
import {
  evaluatePartialStep,
  type PartialContext,
  staysUneventful,
  usualCount,
} from '../series/series-detector.ts';
import type { Workspace } from '../series/workspace.ts';
import type { TrackedSeries } from './tracked-series.ts';

/** True if the step that runs is known to be as uneventful as it was found before. */
export function isKnownUneventful({ count, uneventfulCount }: TrackedSeries, latest: number): boolean {
  return Math.max(count, latest) <= uneventfulCount;
}

/** Evaluates a series within the step that runs, and notes up to which count that need not be done again. */
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
