import { IDLE } from '../series/alarm-state.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { beginStep } from '../series/seasonality.ts';
import { createSeries, evaluatePartialStep, evaluateStep } from '../series/series-detector.ts';
import { createWorkspace, type EvaluationContext, type Workspace } from '../series/workspace.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { UP } from '../state/side.ts';
import type { PastCounts } from './replay.ts';
import { resolutionOfSeason, type Season, SeasonalHistory } from './season.ts';

/**
 * Returns for each step whether it exceeds its open threshold upwards by itself, as the methods of the literature are compared:
 * regardless of open alarms, and of the size of the effect.
 * @param fromStep first scored step: those before it are only learned from
 * @param season null: the day
 */
export function scoreSteps(
  { startMs, stepMinutes, counts }: PastCounts,
  budgetPerWeek: number,
  fromStep: number,
  season: Season | null = null,
): boolean[] {
  const workspace = createWorkspace();
  const resolution = season ? resolutionOfSeason(season) : resolutionOf(stepMinutes);
  const history = season && new SeasonalHistory(season);
  const context = {
    resolution,
    pooledTails: null,
    budgetPerWeek: (budgetPerWeek * stepMinutes) / resolution.stepMinutes,
  };
  const state = createSeries(context);
  return Array.from(counts, (count, step) => {
    const stepMs = startMs + step * resolution.stepMinutes * MINUTE_MS;
    const position = seasonalPositionOf(resolution, stepMs);
    const now = { ...context, position, expectation: history?.expect(state.dispersion) ?? null };
    const exceeds = step >= fromStep && exceedsThreshold(state, now, count, workspace);
    // Before a season is known its swings would count as dispersion.
    if (!history || now.expectation) evaluateStep(state, now, count, workspace);
    history?.add(count);
    return exceeds;
  });
}

/** True if the step would be reported if no alarm were open, and no suppression had been reported. */
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
