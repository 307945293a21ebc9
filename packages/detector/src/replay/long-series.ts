import {
  type AlarmChange,
  type Exceedance,
  OUTAGE_MINUTES,
  RECOVERY_MINUTES,
} from '../series/alarm-state.ts';
import { isHeldDrop, isHeldRise } from '../series/evidence.ts';
import { isCount } from '../state/count.ts';
import { LONG_WINDOW_MINUTES, MINUTES_PER_DAY, MINUTES_PER_WEEK, resolutionOf } from '../state/resolution.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { CountNoise, PRIOR_WANDERING } from './count-noise.ts';
import { LevelBefore } from './level-before.ts';
import { LongLevel } from './long-level.ts';
import { type LongStep, scanWindows } from './long-windows.ts';
import { PeaksOverThreshold } from './peaks-over-threshold.ts';
import { SteppedSeries } from './stepped-series.ts';
import { WeekProfile } from './week-profile.ts';

/** Minimum step at which a series that is alone is evaluated here. */
export const MIN_LONG_MINUTES = LONG_WINDOW_MINUTES;

const NOISE_MEMORY_MINUTES = 4 * MINUTES_PER_WEEK;
const PEAKS_MEMORY_MINUTES = 8 * MINUTES_PER_WEEK;
/** Age from which rises are evaluated, a first day being known by its hours, and drops, when a weekend is known. */
const FIRST_MINUTES = [2 * MINUTES_PER_DAY, MINUTES_PER_WEEK] as const;
/** Minimum steps from which the noise of the counts is known. */
const MIN_STEPS = 14;
/** Steps without anything unusual that close an alarm, by side. */
const QUIET_STEPS = [2, 1] as const;
/** Ratio to the expected count to which a count is clipped; the second one before the week is known, when hours may differ. */
const MAX_RATIO = 2;
const MAX_NEW_RATIO = 5;
/** Margin of the clipping, in dispersions. */
const CLIP_MARGIN = 4;
const MIN_EXPECTED = 1e-3;

interface OpenAlarm {
  sinceStep: number;
  quietSteps: number;
}

/**
 * Series that is alone, at steps of half an hour and more: few and large counts, whose noise is mostly the time of the week and a
 * rate that wanders. It has a level times a factor of the week, negative binomial evidence of one, three and six steps, and
 * peaks over threshold; reported trouble is left out of all of them.
 */
export class LongSeries extends SteppedSeries {
  #level: LongLevel;
  readonly #profile: WeekProfile;
  readonly #noise: CountNoise;
  readonly #peaks: readonly [PeaksOverThreshold, PeaksOverThreshold];
  readonly #open: [OpenAlarm | null, OpenAlarm | null] = [null, null];
  readonly #before: [LevelBefore | null, LevelBefore | null] = [null, null];
  /** Steps of the longest window, the newest first. */
  #steps: LongStep[] = [];
  /** Number of the first step, and of the steps that have ended since. */
  readonly #firstStep: number;
  #age = 0;

  /** @param season steps of a season that stands for the week, of which each step is evaluated by itself; missing: the week */
  constructor(startMs: number, stepLengthMinutes: number, budgetPerWeek: number, season?: number) {
    const resolution = resolutionOf(season ? MINUTES_PER_WEEK / season : stepLengthMinutes);
    super(startMs, stepLengthMinutes, season ? { ...resolution, windows: [1] } : resolution);
    const { stepMinutes } = resolution;
    this.#firstStep = Math.floor(startMs / this.stepLengthMs);
    this.#level = new LongLevel(stepMinutes);
    this.#profile = new WeekProfile(stepMinutes, season);
    this.#noise = new CountNoise(NOISE_MEMORY_MINUTES / stepMinutes);
    // Each side has half of the budget.
    const alarmsAStep = (budgetPerWeek * stepLengthMinutes) / MINUTES_PER_WEEK / 2;
    const peaks = () =>
      new PeaksOverThreshold({ memorySteps: PEAKS_MEMORY_MINUTES / stepMinutes, alarmsAStep });
    this.#peaks = [peaks(), peaks()];
  }

  override skipTo(timeMs: number): void {
    this.endStepsBefore(timeMs, false);
  }

  protected override endStep(count: number): AlarmChange[] {
    const changes = this.#evaluateStep(count);
    this.#age++;
    return changes;
  }

  override exceeds(count: number): boolean {
    const { evidence } = this.#scan(UP, [this.#stepOf(count), ...this.#steps]);
    return this.#mayEvaluate(UP) && evidence > this.#peaks[UP].openThreshold;
  }

  #stepOf(count: number): LongStep {
    const { level, shape } = this.#level;
    const known = isCount(count) ? count : Number.NaN;
    return { count: known, level, shape, ...this.#profile.factorOf(this.#firstStep + this.#age) };
  }

  #mayEvaluate(side: Side): boolean {
    return this.#age >= MIN_STEPS && this.#ageMinutes >= FIRST_MINUTES[side];
  }

  #scan(side: Side, steps: readonly LongStep[]): ReturnType<typeof scanWindows> {
    const { dispersion, wandering } = this.#noise;
    const { openThreshold } = this.#peaks[side];
    return scanWindows(steps, {
      side,
      windows: this.resolution.windows,
      dispersion,
      wandering,
      openThreshold,
    });
  }

  #evaluateStep(count: number): AlarmChange[] {
    const step = this.#stepOf(count);
    this.#steps = [step, ...this.#steps.slice(0, this.#longestWindow - 1)];
    if (Number.isNaN(step.count)) {
      this.#level.learn(0, 0, this.#noise.dispersion);
      return [];
    }
    const changes = [...this.#evaluate(UP, step), ...this.#evaluate(DOWN, step)];
    // Counts of a closed alarm open no other.
    if (changes.some(({ kind }) => kind === 'closes')) this.#steps = [];
    this.#learn(step);
    this.#endReturn();
    return changes;
  }

  #evaluate(side: Side, { count, level, factor }: LongStep): AlarmChange[] {
    if (!this.#mayEvaluate(side)) return [];
    const peaks = this.#peaks[side];
    const { holdThreshold } = peaks;
    const { evidence, exceedance } = this.#scan(side, this.#steps);
    const alarm = this.#open[side];
    peaks.add(evidence, alarm !== null || exceedance !== null);
    // A window stays unusual after the trouble is over.
    const isUnusual = (side === UP ? isHeldRise : isHeldDrop)(count, level * factor);
    if (!alarm) {
      if (!exceedance || !isUnusual || this.#isReturn(exceedance)) return [];
      this.#open[side] = { sinceStep: this.#age, quietSteps: 0 };
      this.#before[side] ??= new LevelBefore(this.#level, side, this.#age);
      return [{ kind: 'opens', ...exceedance }];
    }
    // A silence is not over in a night, in which next to nothing is expected; it may be for good.
    const isSilent = side === DOWN && count === 0 && this.#isRecent(alarm);
    alarm.quietSteps = isSilent || (isUnusual && evidence > holdThreshold) ? 0 : alarm.quietSteps + 1;
    if (alarm.quietSteps < QUIET_STEPS[side]) return [];
    this.#open[side] = null;
    return [{ kind: 'closes', side }];
  }

  #learn({ count, level, factor }: LongStep): void {
    const number = this.#firstStep + this.#age;
    const { dispersion, wandering } = this.#noise;
    const expected = level * factor;
    // A first day is learned by the level alone, with which its hours are compared.
    if (this.#ageMinutes < MINUTES_PER_DAY) {
      this.#level.learn(count, factor, dispersion);
      return;
    }
    const isReported = this.#isReported();
    const isTrouble = isReported || this.#before.some((before) => before !== null);
    const wasTrouble = this.#profile.report(number, isTrouble);
    const clipped = this.#clip(count, expected);
    if (!isTrouble || wasTrouble || !this.#knowsWeek) {
      // Before the week is known, its rhythm is no noise.
      const relative = this.#knowsWeek ? wandering : Math.min(wandering, PRIOR_WANDERING);
      this.#profile.learn(number, clipped / level, 1 / (dispersion / level + relative * factor));
    }
    if (isReported) return;
    this.#noise.learn(clipped, Math.max(MIN_EXPECTED, expected));
    this.#level.learn(clipped, factor, dispersion);
  }

  /** Returns a count clipped so that a lasting change is learned within days. */
  #clip(count: number, expected: number): number {
    const margin = CLIP_MARGIN * this.#noise.dispersion;
    if (!this.#knowsWeek) return Math.min(count, MAX_NEW_RATIO * expected + margin);
    return Math.max(Math.min(count, MAX_RATIO * expected + margin), expected / MAX_RATIO - margin);
  }

  #isReported(): boolean {
    return this.#open.some((alarm) => alarm !== null && this.#isRecent(alarm));
  }

  #isRecent({ sinceStep }: OpenAlarm): boolean {
    return this.#age - sinceStep < OUTAGE_MINUTES / this.resolution.stepMinutes;
  }

  #isReturn(exceedance: Exceedance): boolean {
    const steps = this.#steps.slice(0, this.resolution.windows[exceedance.window]);
    return this.#before.some((before) => before?.isReturn(exceedance, steps));
  }

  /** Takes the level of before again once counts are as before, where the trouble lasted long enough to be learned. */
  #endReturn(): void {
    const { stepMinutes } = this.resolution;
    for (const side of [UP, DOWN] as const) {
      const before = this.#before[side];
      if (!before) continue;
      if (this.#open[side]) before.lastOpenStep = this.#age;
      const minutes = (this.#age - before.lastOpenStep) * stepMinutes;
      if (minutes > RECOVERY_MINUTES) this.#before[side] = null;
      if (this.#open.some((alarm) => alarm !== null) || this.#steps.length < this.#longestWindow) continue;
      if (!before.isOver(this.#steps)) continue;
      this.#before.fill(null);
      if (before.openSteps * stepMinutes < OUTAGE_MINUTES) continue;
      this.#level = before.level;
      // These steps expected the level of the trouble.
      this.#steps = [];
    }
  }

  get #longestWindow(): number {
    return this.resolution.windows.at(-1) ?? 1;
  }

  get #knowsWeek(): boolean {
    return this.#ageMinutes >= MINUTES_PER_WEEK;
  }

  get #ageMinutes(): number {
    return this.#age * this.resolution.stepMinutes;
  }
}
