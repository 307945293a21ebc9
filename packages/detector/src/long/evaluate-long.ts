import { type AlarmChange, NO_CHANGES } from '../series/alarm-state.ts';
import { HELD_DROP, HELD_RISE, isDrop, isHeldDrop, isHeldRise, isRise } from '../series/evidence.ts';
import { findExcess } from '../series/excess.ts';
import { isSeasonal } from '../series/seasonality.ts';
import { isCount } from '../state/count.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { learnNoise, PRIOR_WANDERING } from './count-noise.ts';
import { learnLevel, predictLevel } from './long-level.ts';
import { acceptLevel, endReturn, isReturn, isReturning, keepLevel, REPORTED_MINUTES } from './long-return.ts';
import type { LongLayout, LongState } from './long-state.ts';
import {
  evidenceOf,
  type LongExceedance,
  type RunningStep,
  STEPS_ALIKE,
  scanWindows,
} from './long-windows.ts';
import { addPeak, holdThresholdOf, openThresholdOf } from './peaks.ts';
import { factorsOfStep, learnFactor, reportSlot, type StepFactors } from './week-profile.ts';

/** Age from which rises are evaluated, a first day being known by its hours, and drops, when a weekend is known. */
const FIRST_MINUTES = [2 * MINUTES_PER_DAY, MINUTES_PER_WEEK] as const;
/** With fewer steps the noise of the counts is not known. */
const MIN_STEPS = 14;
/** Steps without anything unusual that close an alarm, by side; of a rise as many as hold so many events at its rate. */
const QUIET_STEPS = [2, 1] as const;
const QUIET_EVENTS = 3;
/** A count is clipped to so many times the expected one; before the week is known, when hours may differ, to more. */
const MAX_RATIO = 2;
const MAX_NEW_RATIO = 5;
/** Beyond it a count is clipped, in dispersions. */
const CLIP_MARGIN = 4;
const MIN_EXPECTED = 1e-3;
/** A window opens an alarm while its last part, one in so many, is unusual as well. */
const RECENT_PART = 4;
/** Bounds of what is halfway between the usual and the alarm. */
const MAX_HALFWAY_RISE = 2.5;
const MIN_HALFWAY_DROP = 0.5;
/** As far as clocks are set. */
const SHIFT_MINUTES = 60;

/** Step of a series that runs, or has ended. */
export interface LongStep {
  stepMs: number;
  /** NaN where it is not known. */
  count: number;
  /** False alarms a week. */
  budgetPerWeek: number;
}

type BudgetedStep = RunningStep & Pick<LongStep, 'budgetPerWeek'>;

/** Makes a record of zeros that of a new series, of which so many steps without an event are known. */
export function beginLongSeries(state: LongState, layout: LongLayout, emptySteps = 0): void {
  state.dispersion = 1;
  state.wandering = PRIOR_WANDERING;
  predictLevel(state, layout);
  for (; state.age < emptySteps; state.age++) {
    state.recordStep(0, { factor: 1, own: 1 });
    learnLevel(state, layout, 0, 1);
  }
}

/** Ends the alarm of a side, which is explained otherwise: its counts open no other. */
export function withdrawLongAlarm(state: LongState, side: Side): void {
  if (state.beforeAge(side) === state.openedAge(side)) state.setBeforeAge(side, 0);
  state.setOpenedAge(side, 0);
  state.steps = 0;
}

/** A person has resolved the incident of a rise: later events are a new one. */
export function resetLongRise(state: LongState): void {
  state.setOpenedAge(UP, 0);
  state.setClosedAge(UP, state.age);
  state.steps = 0;
}

/**
 * Evaluates a step that has ended, and learns from it. Counts of such steps are few and large, and most of their noise is the
 * time of the week and a rate that wanders: a level times a factor of the week, negative binomial evidence, and peaks over
 * threshold; what was reported is left out of all of them.
 */
export function evaluateLongStep(state: LongState, layout: LongLayout, step: LongStep): AlarmChange[] {
  const number = numberOf(layout, step.stepMs);
  const count = isCount(step.count) ? step.count : Number.NaN;
  const { budgetPerWeek } = step;
  const running = { number, count, ...factorsOfStep(state, layout, number), budgetPerWeek };
  if (Number.isNaN(count)) {
    state.recordStep(Number.NaN, running);
    learnLevel(state, layout, 0, 0);
    state.age++;
    return NO_CHANGES;
  }
  const changes = [...endSide(state, layout, running, UP), ...endSide(state, layout, running, DOWN)];
  state.recordStep(count, running);
  for (const side of [UP, DOWN] as const) {
    const hasLasted = state.openedAge(side) > 0 && !isRecent(state, layout, side);
    if (hasLasted && acceptLevel(state, layout, side)) changes.push(close(state, side));
  }
  // Counts of a closed alarm open no other.
  if (changes.some(({ kind }) => kind === 'closes')) state.steps = 0;
  learn(state, layout, running);
  endReturn(state, layout);
  state.age++;
  state.slidingPeak = 0;
  return changes;
}

/**
 * Evaluates a step that still runs, upwards alone and learning nothing: what opens here would open at its end as well. So would
 * what came in the last time that is as long as a step, but for where steps begin.
 */
export function evaluateRunningStep(
  state: LongState,
  layout: LongLayout,
  step: LongStep & { latest: number },
): AlarmChange[] {
  if (state.openedAge(UP) > 0 || !isEvaluated(state, layout, UP)) return NO_CHANGES;
  const number = numberOf(layout, step.stepMs);
  const slides = step.latest > step.count;
  const running = {
    number,
    count: step.count,
    latest: Math.max(step.count, step.latest),
    ...factorsOfStep(state, layout, number),
  };
  const openThreshold = openThresholdOf(state, layout, UP, step.budgetPerWeek / 2);
  const { evidence, exceedance } = scanWindows(state, layout, running, { side: UP, openThreshold });
  if (slides) state.slidingPeak = Math.max(state.slidingPeak, evidence);
  return exceedance && mayOpen(state, layout, exceedance, running)
    ? [open(state, layout, running, exceedance)]
    : NO_CHANGES;
}

export function isEvaluated({ age }: LongState, { stepMinutes }: LongLayout, side: Side): boolean {
  return age >= MIN_STEPS && age * stepMinutes >= FIRST_MINUTES[side];
}

export function numberOf({ stepMinutes }: LongLayout, stepMs: number): number {
  return Math.floor(stepMs / (stepMinutes * MINUTE_MS));
}

/** Half of the budget is that of a side. */
function endSide(state: LongState, layout: LongLayout, step: BudgetedStep, side: Side): AlarmChange[] {
  // Fewer errors are not an outage.
  if ((side === DOWN && state.isErrorSeries) || !isEvaluated(state, layout, side)) return NO_CHANGES;
  const openThreshold = openThresholdOf(state, layout, side, step.budgetPerWeek / 2);
  const holdThreshold = holdThresholdOf(openThreshold);
  const { evidence, exceedance } = scanWindows(state, layout, step, { side, openThreshold });
  const isOpen = state.openedAge(side) > 0;
  const largest = side === UP ? Math.max(evidence, state.slidingPeak) : evidence;
  addPeak(state, layout, side, isOpen || exceedance ? Math.min(largest, holdThreshold) : largest);
  if (!isOpen)
    return exceedance && mayOpen(state, layout, exceedance, step)
      ? [open(state, layout, step, exceedance)]
      : NO_CHANGES;
  // A silence is not over in a night, in which next to nothing is expected.
  const isSilent = side === DOWN && step.count === 0;
  const isHeld = isSilent || (evidence > holdThreshold && isNearAlarm(state, side, step));
  const quietSteps = isHeld ? 0 : state.quietSteps(side) + 1;
  state.setQuietSteps(side, quietSteps);
  if (quietSteps < QUIET_STEPS[side]) return NO_CHANGES;
  if (side === UP && quietSteps * state.alarmRate(side) < QUIET_EVENTS) return NO_CHANGES;
  return [close(state, side)];
}

/** True if the step is nearer to what the alarm has reported than to what is usual. */
function isNearAlarm(state: LongState, side: Side, { count, factor }: RunningStep): boolean {
  const usual = state.level * factor;
  const halfway = Math.sqrt(state.alarmRatio(side));
  return side === UP
    ? count > usual * Math.min(MAX_HALFWAY_RISE, Math.max(HELD_RISE, halfway))
    : count < usual * Math.max(MIN_HALFWAY_DROP, Math.min(HELD_DROP, halfway));
}

function close(state: LongState, side: Side): AlarmChange {
  state.setOpenedAge(side, 0);
  state.setClosedAge(side, state.age);
  return { kind: 'closes', side };
}

function mayOpen(
  state: LongState,
  layout: LongLayout,
  exceedance: LongExceedance,
  step: RunningStep,
): boolean {
  const { windows } = layout;
  const { side, window } = exceedance;
  const length = windows[window] as number; // an exceedance has one of the windows
  return (
    isUnusual(state, side, step, Math.max(1, Math.floor(length / RECENT_PART))) &&
    !isReturn(state, exceedance) &&
    !isUsualOtherwise(state, layout, step, exceedance)
  );
}

/**
 * Whether the counts are usual an hour earlier or later, as clocks are set, where few steps hold all of them; or by what the same
 * hours of the weeks before had, whatever those of other days: a weekend is known by itself alone.
 */
function isUsualOtherwise(
  state: LongState,
  layout: LongLayout,
  { number }: RunningStep,
  { side, window, knownSteps, observed, expected, factors, size, openThreshold }: LongExceedance,
): boolean {
  const length = layout.windows[window] as number; // an exceedance has one of the windows
  const isEffect = side === UP ? isRise : isDrop;
  // The factors of steps are those of before they were learned.
  const factorsOf = (back: number): StepFactors =>
    back > 0 && back <= state.steps
      ? { factor: state.factorAt(back), own: state.ownFactorAt(back) }
      : factorsOfStep(state, layout, number - back);
  const isUsual = (key: keyof StepFactors, shift: number) => {
    let sum = 0;
    for (let back = 0; back < length; back++) sum += factorsOf(back + shift)[key];
    const usual = ((expected / factors) * sum * knownSteps) / length;
    return (
      !isEffect(observed, usual) || evidenceOf(state, { expected: usual, size }, observed) <= openThreshold
    );
  };
  const shift = Math.max(1, Math.round(SHIFT_MINUTES / layout.stepMinutes));
  return (
    [-shift, 0, shift].some((by) => isUsual('own', by)) ||
    (length <= STEPS_ALIKE && [-shift, shift].some((by) => isUsual('factor', by)))
  );
}

/** True if the newest steps are unusual by themselves: a window goes on being so after what made it so is over. */
function isUnusual(state: LongState, side: Side, step: RunningStep, steps = 1): boolean {
  const { count, latest = count, factor } = step;
  let [observed, factors] = [steps === 1 ? latest : count, factor];
  for (let back = 1; back < steps; back++) {
    const earlier = state.countAt(back);
    if (Number.isNaN(earlier)) continue;
    observed += earlier;
    factors += state.factorAt(back);
  }
  return (side === UP ? isHeldRise : isHeldDrop)(observed, state.level * factors);
}

/** Opens an alarm, which is reported from the beginning of its excess on. */
function open(
  state: LongState,
  { windows }: LongLayout,
  { count, latest = count }: RunningStep,
  { side, window, knownSteps, expected, evidence, openThreshold, factors }: LongExceedance,
): AlarmChange {
  const length = windows[window] as number; // an exceedance has one of the windows
  const newest = length === 1 ? latest : count;
  const search = { side, length, rate: expected / knownSteps, dispersion: state.dispersion };
  const excess = findExcess(search, (before) => (before === 0 ? newest : state.countAt(before)));
  state.setOpenedAge(side, state.age);
  state.setQuietSteps(side, 0);
  state.setAlarmRate(side, excess.observed / excess.knownSteps);
  state.setAlarmRatio(side, excess.observed / excess.expected);
  keepLevel(state, side);
  const season = isSeasonal(factors / knownSteps, 1) && ({ season: 'day' } as const);
  return { kind: 'opens', side, window, evidence, openThreshold, ...excess, ...season };
}

function learn(state: LongState, layout: LongLayout, { number, count, factor }: RunningStep): void {
  const { dispersion, wandering, level } = state;
  // A first day is learned by the level alone, with which its hours are compared.
  if (ageMinutes(state, layout) < MINUTES_PER_DAY) {
    learnLevel(state, layout, count, factor);
    return;
  }
  const knowsWeek = ageMinutes(state, layout) >= MINUTES_PER_WEEK;
  const expected = level * factor;
  const isReported = ([UP, DOWN] as const).some(
    (side) => state.openedAge(side) > 0 && isRecent(state, layout, side),
  );
  const isTrouble = isReported || isReturning(state);
  const isPattern = reportSlot(state, layout, number, { isTrouble, isNew: isReported });
  const clipped = clip(state, { count, expected, knowsWeek });
  if (!isTrouble || isPattern || !knowsWeek) {
    // Before the week is known, its rhythm is no noise.
    const relative = knowsWeek ? wandering : Math.min(wandering, PRIOR_WANDERING);
    const information = 1 / (dispersion / level + relative * factor);
    learnFactor(state, layout, number, { ratio: clipped / level, information });
  }
  if (isReported && !isPattern) return;
  learnNoise(state, layout, clipped, Math.max(MIN_EXPECTED, expected));
  learnLevel(state, layout, clipped, factor);
}

/** A lasting change is learned within days. */
function clip(
  { dispersion }: LongState,
  { count, expected, knowsWeek }: { count: number; expected: number; knowsWeek: boolean },
): number {
  const margin = CLIP_MARGIN * dispersion;
  if (!knowsWeek) return Math.min(count, MAX_NEW_RATIO * expected + margin);
  return Math.max(Math.min(count, MAX_RATIO * expected + margin), expected / MAX_RATIO - margin);
}

function isRecent(state: LongState, { stepMinutes }: LongLayout, side: Side): boolean {
  return (state.age - state.openedAge(side)) * stepMinutes < REPORTED_MINUTES;
}

function ageMinutes({ age }: LongState, { stepMinutes }: LongLayout): number {
  return age * stepMinutes;
}
