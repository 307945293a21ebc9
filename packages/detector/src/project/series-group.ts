import { placeOf } from '../calibration/block-maxima.ts';
import { lendDispersion } from '../calibration/pooled-dispersion.ts';
import { TailPool } from '../calibration/pooled-maxima.ts';
import { falseAWeek, type LentTail, tailOf } from '../calibration/thresholds.ts';
import type { AlarmChange, Exceedance } from '../series/alarm-state.ts';
import { acceptDrop, createSilentSeries, forgetRise } from '../series/error-series.ts';
import { raiseLevel } from '../series/raise-level.ts';
import { seasonalPositionOf } from '../series/seasonality.ts';
import { createSeries, look, recalibrate, step } from '../series/series-detector.ts';
import { type Resolution, resolutionOf } from '../state/resolution.ts';
import { AT, DOWN, type SeriesMemory, UP } from '../state/series-state.ts';

const LENDING_MINUTES = 15;
/** Trouble is taken at its word until the project has shown, with so many maxima, how unruly it is. */
const ENOUGH_MAXIMA = 60;

export interface Member {
  memory: SeriesMemory;
  weight: number;
  /** Events of the step that runs. */
  count: number;
  /** Events of the step that runs which came too late to be judged; missing: none. */
  late?: number;
  /** Whether it has counted since the last look. */
  isTouched: boolean;
  /** Whether it was silent until its first event: see `createSilentSeries`. */
  isTrouble: boolean;
  /** Whether what came in the step that runs was set aside: then its count is not known. */
  isPartial: boolean;
}

export interface SavedGroup {
  members: Member[];
  pool: Uint8Array;
  /** As lent last: what came into the pool since then is not lent yet. */
  lent: LentTail[] | null;
  steps: number;
  weights: number;
}

/**
 * Series that are stepped together, lend each other what they have shown (dispersion and tails), and share one
 * budget of false incidents. Lending is brought up to date every quarter of an hour.
 */
export class SeriesGroup {
  readonly resolution: Resolution;
  readonly members: Member[];
  readonly #pool: TailPool;
  #lent: LentTail[] | null = null;
  #budgetPerWeek: number;
  #steps: number;
  #weights = 0;

  constructor(stepMinutes: number, budgetPerWeek: number, saved?: SavedGroup) {
    this.resolution = resolutionOf(stepMinutes);
    this.#budgetPerWeek = budgetPerWeek;
    this.#pool = new TailPool(saved?.pool);
    this.#steps = saved?.steps ?? 0;
    this.members = saved?.members ?? [];
    if (!saved) return;
    this.#weights = saved.weights;
    this.#lent = saved.lent;
  }

  /**
   * @param mayBeOld it may have been there before: then even trouble does not count as having been silent
   * @returns the number of the new series
   */
  add(weight: number, isTrouble = false, mayBeOld = false): number {
    this.#weights += weight;
    this.members.push(this.#create(weight, isTrouble, mayBeOld));
    if (this.members.length === 2) this.lend();
    return this.members.length - 1;
  }

  /** Gives the place of a series that has died to another one. */
  replace(series: number, weight: number, isTrouble: boolean, mayBeOld: boolean): void {
    this.#weights += weight - (this.members[series] as Member).weight;
    this.members[series] = this.#create(weight, isTrouble, mayBeOld);
  }

  setWeight(series: number, weight: number): void {
    const member = this.members[series] as Member;
    this.#weights += weight - member.weight;
    member.weight = weight;
  }

  setBudget(budgetPerWeek: number): void {
    this.#budgetPerWeek = budgetPerWeek;
    this.lend();
  }

  count(series: number, events: number): void {
    const member = this.members[series] as Member;
    member.count += events;
    member.isTouched = true;
  }

  /** Events that are not judged: they make up for what is missing in the step, and no more. */
  countLate(series: number, events: number): void {
    const member = this.members[series] as Member;
    member.late = (member.late ?? 0) + events;
  }

  /** Makes a series expect at least so many events a step. */
  raiseTo(series: number, perStep: number): void {
    const { memory } = this.members[series] as Member;
    const missing = perStep - (memory.numbers[AT.level] as number);
    if (missing > 0) raiseLevel(memory, this.resolution, missing);
  }

  /** Sets what the step that runs holds, where that is no sum of events; NaN: it is not known. */
  measure(series: number, value: number): void {
    (this.members[series] as Member).count = value;
  }

  /** A person has resolved what it opened: see `forgetRise`. */
  rearm(series: number): void {
    const member = this.members[series] as Member;
    forgetRise(member.memory);
    member.count = 0;
    member.isPartial = true;
  }

  acceptDrop(series: number): void {
    acceptDrop((this.members[series] as Member).memory);
  }

  /** Judges what has counted since the last look, within the step that runs: see `look` of a series. */
  look(timeMs: number, report: (series: number, change: AlarmChange) => void): void {
    const position = seasonalPositionOf(this.resolution, timeMs);
    this.members.forEach((member, series) => {
      if (!member.isTouched) return;
      member.isTouched = false;
      const context = { ...this.#contextOf(member), position };
      for (const change of look(member.memory, context, member.count)) report(series, change);
    });
  }

  /** Ends the step that began then, for all series. */
  endStep(timeMs: number, isKnown: boolean, report: (series: number, change: AlarmChange) => void): void {
    const position = seasonalPositionOf(this.resolution, timeMs);
    const context = { resolution: this.resolution, position, lent: this.#lent, budgetPerWeek: 0 };
    const lentToTrouble = this.#lentToTrouble();
    for (let series = 0; series < this.members.length; series++) {
      const member = this.members[series] as Member;
      const { numbers } = member.memory;
      context.budgetPerWeek = this.#shareOf(member);
      context.lent = member.isTrouble ? lentToTrouble : this.#lent;
      const rises = numbers[AT.blocks + UP];
      const drops = numbers[AT.blocks + DOWN];
      const count = isKnown && !member.isPartial ? countOf(member) : Number.NaN;
      const changes = step(member.memory, context, count);
      for (const change of changes) report(series, change);
      if (numbers[AT.blocks + UP] !== rises) this.#pool.take(member.memory, this.resolution, UP);
      if (numbers[AT.blocks + DOWN] !== drops) this.#pool.take(member.memory, this.resolution, DOWN);
      member.count = 0;
      member.late = 0;
      member.isTouched = false;
      member.isPartial = false;
    }
    this.#steps++;
    const every = Math.max(1, Math.round(LENDING_MINUTES / this.resolution.stepMinutes));
    if (this.#steps % every === 0) this.lend();
  }

  /** Brings what the series lend each other, and their shares, up to date. */
  lend(): void {
    this.#weights = this.members.reduce((sum, { weight }) => sum + weight, 0);
    if (this.members.length > 1) {
      this.#lent = this.#pool.read();
      lendDispersion(this.members.map(({ memory }) => memory));
    }
    for (const member of this.members) recalibrate(member.memory, this.#contextOf(member));
  }

  save(): SavedGroup {
    return {
      members: this.members,
      pool: this.#pool.toBytes(),
      lent: this.#lent,
      steps: this.#steps,
      weights: this.#weights,
    };
  }

  /** Of the budget: false incidents a week. */
  shareOf(series: number): number {
    return this.#shareOf(this.members[series] as Member);
  }

  /** Events that are expected of a step. */
  levelOf(series: number): number {
    return (this.members[series] as Member).memory.numbers[AT.level] as number;
  }

  /** How often a week the like would come by chance, in any series; null while nothing is known of chance here. */
  chanceAWeek(series: number, { side, window, evidence }: Exceedance): number | null {
    const member = this.members[series] as Member;
    const lent = this.#contextOf(member).lent?.[placeOf(side, window)] ?? null;
    if (!lent?.maxima && member.memory.numbers[AT.blocks + side] === 0) return null;
    const tail = tailOf(member.memory, this.resolution, side, window, lent);
    return (falseAWeek(tail, this.resolution, side, evidence) * this.#weights) / member.weight;
  }

  #create(weight: number, isTrouble: boolean, mayBeOld: boolean): Member {
    const context = this.#contextOf({ weight, isTrouble });
    const memory =
      isTrouble && !mayBeOld ? createSilentSeries(context, this.#steps) : createSeries(context, 1);
    return { memory, weight, count: 0, isTouched: false, isTrouble, isPartial: false };
  }

  #contextOf(member: Pick<Member, 'weight' | 'isTrouble'>) {
    const lent = member.isTrouble ? this.#lentToTrouble() : this.#lent;
    return { resolution: this.resolution, lent, budgetPerWeek: this.#shareOf(member) };
  }

  #lentToTrouble(): LentTail[] | null {
    return (this.#lent?.[0]?.maxima ?? 0) < ENOUGH_MAXIMA ? null : this.#lent;
  }

  #shareOf({ weight }: Pick<Member, 'weight'>): number {
    return (this.#budgetPerWeek * weight) / this.#weights;
  }
}

/** A source that delivers late is not silent: its events fill the step up to what was expected. */
function countOf({ count, late = 0, memory }: Member): number {
  const level = memory.numbers[AT.level] as number;
  return late > 0 && count < level ? Math.min(count + late, level) : count;
}
