import { growBlock, placeOf } from '../calibration/block-maxima.ts';
import { calibrate, type LentTail, trustedBudget } from '../calibration/thresholds.ts';
import type { Pace } from '../state/resolution.ts';
import { AT, DOWN, SeriesMemory, type Side, UP } from '../state/series-state.ts';
import {
  type Change,
  isIdle,
  isLastingOutage,
  isOpen,
  isWayBack,
  NONE,
  type Sighting,
  settle,
} from './alarm-state.ts';
import { learnDispersion } from './dispersion.ts';
import { evidenceDown, evidenceUp, isDrop, isHeldDrop, isHeldRise, isRise } from './evidence.ts';
import { learnTimeOfDay } from './learn-seasonality.ts';
import { learnLevel, predict, winsorise } from './level.ts';
import { beginStep, type Envelope, envelopeOfWeek, highOfDay, lowOfDay, type Moment } from './seasonality.ts';
import { createScan, keepStep, scanWindows } from './windows.ts';

/** What a series of a project is judged with. */
export interface Surroundings {
  pace: Pace;
  moment: Moment;
  /** Tails of the project, by side and window; null for a series that is alone. */
  lent: readonly LentTail[] | null;
  /** The series' share of the project's budget: false incidents a week. */
  budgetAWeek: number;
}

const scan = createScan();

export function createSeries(
  surroundings: Omit<Surroundings, 'moment'>,
  lentDispersion: number,
): SeriesMemory {
  const memory = new SeriesMemory();
  memory.numbers[AT.lentDispersion] = lentDispersion;
  memory.numbers[AT.dispersion] = Math.max(1, lentDispersion);
  predict(memory.numbers, surroundings.pace);
  recalibrate(memory, surroundings);
  return memory;
}

/** After what the project lends, or the share of the budget, has changed. */
export function recalibrate(memory: SeriesMemory, surroundings: Omit<Surroundings, 'moment'>): void {
  const { pace, lent, budgetAWeek } = surroundings;
  const budget = trustedBudget(memory, pace, budgetAWeek);
  calibrate(memory, pace, UP, lent, budget);
  calibrate(memory, pace, DOWN, lent, budget);
}

/**
 * Judges a step that has ended and learns from it.
 * @param count NaN where it is not known, which is never taken for none
 * @returns what changed, mostly nothing
 */
export function step(memory: SeriesMemory, surroundings: Surroundings, count: number): Change[] {
  const { numbers, codes } = memory;
  const { pace, moment } = surroundings;
  beginStep(memory, moment);
  let changes = NONE;
  if (count === count) {
    const isOutage = isLastingOutage(numbers, pace, count);
    scanWindows(scan, numbers, pace, count);
    const high = highOfDay(codes, moment);
    const low = lowOfDay(codes, moment);
    changes = judge(memory, surroundings, UP, high, true);
    const drops = judge(memory, surroundings, DOWN, low, true);
    if (drops.length > 0) changes = changes.length > 0 ? [...changes, ...drops] : drops;
    keepStep(numbers, count);
    learnTimeOfDay(memory, scan, pace, moment, isOutage);
    if (!isOutage) learn(numbers, pace, count, { high, low });
    growBlocks(memory, surroundings, count);
  } else {
    keepStep(numbers, count);
    learnLevel(numbers, pace, count);
  }
  numbers[AT.age] = (numbers[AT.age] as number) + 1;
  return changes;
}

/**
 * Judges a step that still runs, upwards alone and learning nothing. Its count can only grow, and with it the
 * evidence: whatever opens here would open at the end of the step, only later. So there are no more false incidents
 * for it, and a burst is found with the event that crosses the line.
 */
export function look(memory: SeriesMemory, surroundings: Surroundings, countSoFar: number): Change[] {
  scanWindows(scan, memory.numbers, surroundings.pace, countSoFar);
  return judge(memory, surroundings, UP, highOfDay(memory.codes, surroundings.moment), false);
}

function learn(numbers: Float32Array, pace: Pace, count: number, envelope: Envelope): void {
  const winsorised = winsorise(numbers, count);
  const isAlarmed = isOpen(numbers, UP) || isOpen(numbers, DOWN);
  learnDispersion(numbers, pace, count, winsorised, envelope, isAlarmed);
  learnLevel(numbers, pace, winsorised);
}

function growBlocks(memory: SeriesMemory, surroundings: Surroundings, count: number): void {
  const { numbers } = memory;
  const { pace, lent, budgetAWeek } = surroundings;
  if ((numbers[AT.age] as number) < pace.firstJudgementSteps) return;
  for (const side of [UP, DOWN] as const) {
    const mayClose = isIdle(numbers, side);
    if (growBlock(memory, pace, side, count, mayClose)) {
      calibrate(memory, pace, side, lent, trustedBudget(memory, pace, budgetAWeek));
    }
  }
}

/** @param envelope what the time of day allows: the highest rate upwards, the lowest downwards */
function judge(
  memory: SeriesMemory,
  surroundings: Surroundings,
  side: Side,
  envelope: number,
  stepEnded: boolean,
): Change[] {
  const { numbers } = memory;
  const { pace } = surroundings;
  let found: Change | null = null;
  let foundExcess = 0;
  let isHeld = false;
  let isUnusual = false;
  for (let i = 0; i < pace.windows.length; i++) {
    const knownSteps = scan.known[i] as number;
    if (knownSteps === 0 || (side === DOWN && !mayDrop(numbers, pace, i))) continue;
    const observed = scan.observed[i] as number;
    const rate = expectedRate(side, scan.level[i] as number, envelope);
    const expected = knownSteps * rate;
    const evidence = evidenceOf(numbers, side, i, expected);
    const at = placeOf(side, i);
    if (stepEnded && evidence > (numbers[AT.blockMaxima + at] as number)) {
      numbers[AT.blockMaxima + at] = evidence;
    }
    if (evidence <= (numbers[AT.holding + at] as number)) continue;
    isUnusual = true;
    isHeld ||= side === UP ? isHeldRise(observed, expected) : isHeldDrop(observed, expected);
    const opening = numbers[AT.opening + at] as number;
    if (evidence <= opening || evidence / opening <= foundExcess || isOpen(numbers, side)) continue;
    const sighting = { side, window: i, knownSteps, observed, expected, evidence, opening };
    const change = weigh(memory, surroundings, sighting);
    if (found && found.kind !== 'reserved' && change.kind === 'reserved') continue;
    found = change;
    foundExcess = evidence / opening;
  }
  return settle(numbers, pace, side, { found, isHeld, isUnusual, stepEnded });
}

/** In its first hour a series may only have begun with a burst: that nothing follows is no silence. */
function mayDrop(numbers: Float32Array, pace: Pace, window: number): boolean {
  return (numbers[AT.age] as number) - (pace.windows[window] as number) + 1 >= pace.firstDropSteps;
}

function expectedRate(side: Side, level: number, envelope: number): number {
  return side === UP ? Math.max(level, envelope) : Math.min(level, envelope);
}

function evidenceOf(numbers: Float32Array, side: Side, window: number, expected: number): number {
  const observed = scan.observed[window] as number;
  const dispersion = numbers[AT.dispersion] as number;
  const shape = scan.shape[window] as number;
  if (side === UP) return evidenceUp(observed, expected, dispersion, shape);
  const levelOfWindow = (scan.known[window] as number) * (scan.level[window] as number);
  return evidenceDown(observed, expected, dispersion, shape, levelOfWindow);
}

/** What a sighting beyond the line is: an alarm, a way back, too little, or what last week makes normal. */
function weigh(memory: SeriesMemory, surroundings: Surroundings, sighting: Sighting): Change {
  const { numbers, codes } = memory;
  const { side, observed, knownSteps, window, opening } = sighting;
  const isEffect = side === UP ? isRise : isDrop;
  if (!isEffect(observed, sighting.expected)) {
    return { kind: 'reserved', reservation: 'small-effect', ...sighting };
  }
  if (isWayBack(numbers, surroundings.pace, sighting)) return { kind: 'recovers', ...sighting };
  const week = envelopeOfWeek(codes, surroundings.moment);
  const rate = expectedRate(side, sighting.expected / knownSteps, side === UP ? week.high : week.low);
  const expected = rate * knownSteps;
  if (!isEffect(observed, expected) || evidenceOf(numbers, side, window, expected) <= opening) {
    return { kind: 'reserved', reservation: 'hour-of-week', ...sighting };
  }
  return { kind: 'opens', ...sighting, expected };
}
