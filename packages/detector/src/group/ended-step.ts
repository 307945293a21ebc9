import type { AlarmChange } from '../series/alarm-state.ts';
import { levelOfStep } from '../series/expect-by-day.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { evaluateStep } from '../series/series-detector.ts';
import { uneventfulSteps } from '../series/uneventful-steps.ts';
import type { EvaluationContext, Workspace } from '../series/workspace.ts';
import { stepsLeftOfSlot } from './postponed-steps.ts';
import type { SeriesTable } from './series-table.ts';
import type { SharedCalibration } from './shared-calibration.ts';
import type { TrackedSeries } from './tracked-series.ts';

/**
 * Ratio to the expected count above which late events are of an import, which teaches nothing. A source that delivers late is
 * not far from its usual rate; its steps are learned from, or its series would never adapt.
 */
const IMPORT_FACTOR = 10;
/** A step with a larger unknown share counts as unknown. */
const MAX_UNKNOWN_SHARE = 0.5;

/** A step that has ended for the series of a group. */
interface EndedStep extends StepParts {
  timeMs: number;
  isKnown: boolean;
  report: (index: number, change: AlarmChange) => void;
}

/** Parts of a known step that single series, by index, do not know or do not learn; missing: none. */
export interface StepParts {
  /** Share of the step whose counts say nothing. */
  unknownShareOf?: ((index: number) => number) | undefined;
  isUnlearned?: ((index: number) => boolean) | undefined;
}

/** Ends a step for each series that is not known to be uneventful, and begins the next one. */
export function endStepOfAll(
  series: SeriesTable,
  calibration: SharedCalibration,
  { timeMs, isKnown, report, unknownShareOf, isUnlearned }: EndedStep,
): void {
  const { resolution, postponed, workspace } = series;
  const { windows } = workspace;
  const position = seasonalPositionOf(resolution, timeMs);
  // One object for all series: it is not kept.
  const { rarity } = calibration;
  const context: EvaluationContext = { resolution, position, pooledTails: null, budgetPerWeek: 0, rarity };
  const [tails, tailsForErrors] = [calibration.tailsFor(false), calibration.tailsFor(true)];
  const stepsOfSlot = postponed && isKnown ? stepsLeftOfSlot(resolution, timeMs) : 0;
  for (let index = 0; index < series.size; index++) {
    context.isUnlearned = isUnlearned?.(index) ?? false;
    if (isKnown && !context.isUnlearned && postponed?.isPostponed(index)) continue;
    const tracked = series.find(index);
    if (!tracked) continue;
    series.catchUp(index, tracked);
    const { state, isErrorSeries } = tracked;
    context.budgetPerWeek = calibration.budgetShareOf(tracked.weight, index) * tracked.part;
    context.isErrorSeries = isErrorSeries;
    context.pooledTails = isErrorSeries ? tailsForErrors : tails;
    context.isImport = isImportStep(tracked);
    const count = filledCount(tracked, isKnown ? (unknownShareOf?.(index) ?? 0) : 1, context, workspace);
    const changes = evaluateStep(state, context, count, workspace);
    tracked.uneventfulCount = -1;
    const mayPostpone = changes.length === 0 && !Number.isNaN(count) && !context.isUnlearned;
    const ended = { resolution, position, stepsOfSlot, windows, isErrorSeries };
    postponed?.endOf(index, mayPostpone ? uneventfulSteps(state, ended) : 0);
    if (changes.length > 0) postponed?.reportOf(index);
    for (const change of changes) report(index, change);
    beginStep(tracked);
  }
  series.endStep(position);
}

function beginStep(tracked: TrackedSeries): void {
  tracked.count = 0;
  tracked.lateCount = 0;
  tracked.hasNewCounts = false;
  tracked.isPartial = false;
}

function isImportStep({ lateCount, state }: TrackedSeries): boolean {
  return lateCount > IMPORT_FACTOR * Math.max(1, state.level);
}

/**
 * Returns the count of a step that has ended; NaN where too much of it is unknown, or only a part of it has counted. Late events
 * fill the step up to the expected count, and no further: a source that delivers late is not silent. So does the expected
 * count of its unknown share.
 */
function filledCount(
  { count, lateCount, isPartial, state }: TrackedSeries,
  unknownShare: number,
  { resolution, position }: EvaluationContext,
  workspace: Workspace,
): number {
  if (isPartial || unknownShare > MAX_UNKNOWN_SHARE) return Number.NaN;
  if (lateCount === 0 && unknownShare === 0) return count;
  const level = levelOfStep(state, resolution, position, workspace);
  return count < level ? Math.min(count + lateCount + unknownShare * level, level) : count;
}
