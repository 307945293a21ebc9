import { IDLE } from '../series/alarm-state.ts';
import { beginStep, seasonalPositionOf } from '../series/seasonality.ts';
import {
  createSeries,
  type EvaluationContext,
  evaluatePartialStep,
  evaluateStep,
} from '../series/series-detector.ts';
import { createWorkspace, type Workspace } from '../series/workspace.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { UP } from '../state/side.ts';
import type { PastCounts } from './replay.ts';

/**
 * Whether each step by itself exceeds its open threshold upwards, as the methods of the literature are compared: it does not
 * matter whether an alarm is open already, or whether the effect is large enough to open one.
 * @param fromStep the steps before it are learned from, and not scored
 * @returns a value for each step
 */
export function scoreSteps(
  { startMs, stepMinutes, counts }: PastCounts,
  budgetPerWeek: number,
  fromStep: number,
): boolean[] {
  const workspace = createWorkspace();
  const context = { resolution: resolutionOf(stepMinutes), pooledTails: null, budgetPerWeek };
  const state = createSeries(context, workspace);
  return Array.from(counts, (count, step) => {
    const stepMs = startMs + step * stepMinutes * MINUTE_MS;
    const now = { ...context, position: seasonalPositionOf(context.resolution, stepMs) };
    const exceeds = step >= fromStep && exceedsThreshold(state, now, count, workspace);
    evaluateStep(state, now, count, workspace);
    return exceeds;
  });
}

/** What evaluating a part of the step would report if no alarm were open, and nothing had been reported. */
function exceedsThreshold(
  state: SeriesState,
  now: EvaluationContext,
  count: number,
  workspace: Workspace,
): boolean {
  const copy = new SeriesState(state.toBytes());
  beginStep(copy, now.position);
  copy.setStatus(UP, IDLE);
  copy.setReportedReason(UP, 0);
  return evaluatePartialStep(copy, now, count, workspace).some(
    ({ kind }) => kind === 'opens' || kind === 'suppressed',
  );
}
