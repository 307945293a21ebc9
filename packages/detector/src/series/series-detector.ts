import { growBlock, placeOf } from '../calibration/block-maxima.ts';
import { calibrate, type LentTail, trustedBudget } from '../calibration/thresholds.ts';
import type { Resolution } from '../state/resolution.ts';
import { AT, DOWN, SeriesMemory, type Side, UP } from '../state/series-state.ts';
import {
  type AlarmChange,
  type Exceedance,
  isIdle,
  isLastingOutage,
  isOpen,
  isRecovery,
  NO_CHANGES,
  updateAlarm,
} from './alarm-state.ts';
import { updateDispersion } from './dispersion.ts';
import { evidenceDown, evidenceUp, isDrop, isHeldDrop, isHeldRise, isRise } from './evidence.ts';
import { learnSeasonality } from './learn-seasonality.ts';
import { predict, updateLevel, winsorise } from './level.ts';
import {
  bandOfWeek,
  beginStep,
  highestOfDay,
  lowestOfDay,
  type SeasonalBand,
  type SeasonalPosition,
} from './seasonality.ts';
import { countWindows, createWindowCounts, recordStep } from './windows.ts';

/** What a series of a project is judged with. */
export interface EvaluationContext {
  resolution: Resolution;
  position: SeasonalPosition;
  /** Tails of the project, by side and window; null for a series that is alone. */
  lent: readonly LentTail[] | null;
  /** The series' share of the project's budget: false incidents a week. */
  budgetPerWeek: number;
}

const scan = createWindowCounts();

export function createSeries(
  context: Omit<EvaluationContext, 'position'>,
  lentDispersion: number,
): SeriesMemory {
  const memory = new SeriesMemory();
  memory.numbers[AT.lentDispersion] = lentDispersion;
  memory.numbers[AT.dispersion] = Math.max(1, lentDispersion);
  predict(memory.numbers, context.resolution);
  recalibrate(memory, context);
  return memory;
}

/** After what the project lends, or the share of the budget, has changed. */
export function recalibrate(memory: SeriesMemory, context: Omit<EvaluationContext, 'position'>): void {
  const { resolution, lent, budgetPerWeek } = context;
  const budget = trustedBudget(memory, resolution, budgetPerWeek);
  calibrate(memory, resolution, UP, lent, budget);
  calibrate(memory, resolution, DOWN, lent, budget);
}

/**
 * Judges a step that has ended and learns from it.
 * @param count NaN where it is not known, which is never taken for none
 * @returns what changed, mostly nothing
 */
export function step(memory: SeriesMemory, context: EvaluationContext, count: number): AlarmChange[] {
  const { numbers, codes } = memory;
  const { resolution, position } = context;
  beginStep(memory, position);
  let changes = NO_CHANGES;
  if (count === count) {
    const isOutage = isLastingOutage(numbers, resolution, count);
    countWindows(scan, numbers, resolution, count);
    const high = highestOfDay(codes, position);
    const low = lowestOfDay(codes, position);
    changes = judge(memory, context, UP, high, true);
    const drops = judge(memory, context, DOWN, low, true);
    if (drops.length > 0) changes = changes.length > 0 ? [...changes, ...drops] : drops;
    recordStep(numbers, count);
    learnSeasonality(memory, scan, resolution, position, isOutage);
    if (!isOutage) learn(numbers, resolution, count, { high, low });
    growBlocks(memory, context, count);
  } else {
    recordStep(numbers, count);
    updateLevel(numbers, resolution, count);
  }
  numbers[AT.age] = (numbers[AT.age] as number) + 1;
  return changes;
}

/**
 * Judges a step that still runs, upwards alone and learning nothing. Its count can only grow, and with it the
 * evidence: whatever opens here would open at the end of the step, only later. So there are no more false incidents
 * for it, and a burst is found with the event that crosses the line.
 */
export function look(memory: SeriesMemory, context: EvaluationContext, countSoFar: number): AlarmChange[] {
  countWindows(scan, memory.numbers, context.resolution, countSoFar);
  return judge(memory, context, UP, highestOfDay(memory.codes, context.position), false);
}

function learn(numbers: Float32Array, resolution: Resolution, count: number, band: SeasonalBand): void {
  const winsorised = winsorise(numbers, count);
  const isAlarmed = isOpen(numbers, UP) || isOpen(numbers, DOWN);
  updateDispersion(numbers, resolution, count, winsorised, band, isAlarmed);
  updateLevel(numbers, resolution, winsorised);
}

function growBlocks(memory: SeriesMemory, context: EvaluationContext, count: number): void {
  const { numbers } = memory;
  const { resolution, lent, budgetPerWeek } = context;
  if ((numbers[AT.age] as number) < resolution.firstJudgementSteps) return;
  for (const side of [UP, DOWN] as const) {
    const mayClose = isIdle(numbers, side);
    if (growBlock(memory, resolution, side, count, mayClose)) {
      calibrate(memory, resolution, side, lent, trustedBudget(memory, resolution, budgetPerWeek));
    }
  }
}

/** @param band what the time of day allows: the highest rate upwards, the lowest downwards */
function judge(
  memory: SeriesMemory,
  context: EvaluationContext,
  side: Side,
  band: number,
  stepEnded: boolean,
): AlarmChange[] {
  const { numbers } = memory;
  const { resolution } = context;
  let candidate: AlarmChange | null = null;
  let candidateExcess = 0;
  let isHeld = false;
  let isUnusual = false;
  for (let i = 0; i < resolution.windows.length; i++) {
    const knownSteps = scan.known[i] as number;
    if (knownSteps === 0 || (side === DOWN && !mayDrop(numbers, resolution, i))) continue;
    const observed = scan.observed[i] as number;
    const rate = expectedRate(side, scan.level[i] as number, band);
    const expected = knownSteps * rate;
    const evidence = evidenceOf(numbers, side, i, expected);
    const at = placeOf(side, i);
    if (stepEnded && evidence > (numbers[AT.blockMaxima + at] as number)) {
      numbers[AT.blockMaxima + at] = evidence;
    }
    if (evidence <= (numbers[AT.holdThreshold + at] as number)) continue;
    isUnusual = true;
    isHeld ||= side === UP ? isHeldRise(observed, expected) : isHeldDrop(observed, expected);
    const openThreshold = numbers[AT.openThreshold + at] as number;
    if (evidence <= openThreshold || evidence / openThreshold <= candidateExcess || isOpen(numbers, side))
      continue;
    const exceedance = { side, window: i, knownSteps, observed, expected, evidence, openThreshold };
    const change = weigh(memory, context, exceedance);
    if (candidate && candidate.kind !== 'suppressed' && change.kind === 'suppressed') continue;
    candidate = change;
    candidateExcess = evidence / openThreshold;
  }
  return updateAlarm(numbers, resolution, side, { candidate, isHeld, isUnusual, stepEnded });
}

/** In its first hour a series may only have begun with a burst: that nothing follows is no silence. */
function mayDrop(numbers: Float32Array, resolution: Resolution, window: number): boolean {
  return (
    (numbers[AT.age] as number) - (resolution.windows[window] as number) + 1 >= resolution.firstDropSteps
  );
}

function expectedRate(side: Side, level: number, band: number): number {
  return side === UP ? Math.max(level, band) : Math.min(level, band);
}

function evidenceOf(numbers: Float32Array, side: Side, window: number, expected: number): number {
  const observed = scan.observed[window] as number;
  const dispersion = numbers[AT.dispersion] as number;
  const shape = scan.shape[window] as number;
  if (side === UP) return evidenceUp(observed, expected, dispersion, shape);
  const levelOfWindow = (scan.known[window] as number) * (scan.level[window] as number);
  return evidenceDown(observed, expected, dispersion, shape, levelOfWindow);
}

/** What a exceedance beyond the line is: an alarm, a way back, too little, or what last week makes normal. */
function weigh(memory: SeriesMemory, context: EvaluationContext, exceedance: Exceedance): AlarmChange {
  const { numbers, codes } = memory;
  const { side, observed, knownSteps, window, openThreshold } = exceedance;
  const isEffect = side === UP ? isRise : isDrop;
  if (!isEffect(observed, exceedance.expected)) {
    return { kind: 'suppressed', reason: 'small-effect', ...exceedance };
  }
  if (isRecovery(numbers, context.resolution, exceedance)) return { kind: 'recovers', ...exceedance };
  const week = bandOfWeek(codes, context.position);
  const rate = expectedRate(side, exceedance.expected / knownSteps, side === UP ? week.high : week.low);
  const expected = rate * knownSteps;
  if (!isEffect(observed, expected) || evidenceOf(numbers, side, window, expected) <= openThreshold) {
    return { kind: 'suppressed', reason: 'hour-of-week', ...exceedance };
  }
  return { kind: 'opens', ...exceedance, expected };
}
