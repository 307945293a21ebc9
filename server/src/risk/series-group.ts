import type { Change } from './alarm.ts';
import type { LentTail } from './calibration.ts';
import { momentOf } from './envelope.ts';
import { lendDispersion } from './lent-dispersion.ts';
import { type Pace, paceOf } from './pace.ts';
import { createSeries, look, recalibrate, step } from './series-detector.ts';
import { AT, DOWN, type SeriesMemory, UP } from './series-memory.ts';
import { TailPool } from './tail-pool.ts';

const LENDING_MINUTES = 15;

export interface Member {
  memory: SeriesMemory;
  weight: number;
  /** Events of the step that runs. */
  count: number;
  /** Whether it has counted since the last look. */
  isTouched: boolean;
}

export interface SavedGroup {
  members: Member[];
  pool: Uint8Array;
  /** As lent last: what came into the pool since then is not lent yet. */
  lent: LentTail[] | null;
  steps: number;
}

/**
 * Series that are stepped together, lend each other what they have shown (dispersion and tails), and share one
 * budget of false incidents. Lending is brought up to date every quarter of an hour.
 */
export class SeriesGroup {
  readonly pace: Pace;
  readonly members: Member[] = [];
  readonly #pool: TailPool;
  #lent: LentTail[] | null = null;
  #budgetAWeek: number;
  #steps: number;
  #weights = 0;

  constructor(stepMinutes: number, budgetAWeek: number, saved?: SavedGroup) {
    this.pace = paceOf(stepMinutes);
    this.#budgetAWeek = budgetAWeek;
    this.#pool = new TailPool(saved?.pool);
    this.#steps = saved?.steps ?? 0;
    if (!saved) return;
    this.members.push(...saved.members);
    this.#weights = saved.members.reduce((sum, { weight }) => sum + weight, 0);
    this.#lent = saved.lent;
  }

  /** @returns the number of the new series */
  add(weight: number): number {
    const { pace } = this;
    this.#weights += weight;
    const budgetAWeek = (this.#budgetAWeek * weight) / this.#weights;
    const memory = createSeries({ pace, lent: this.#lent, budgetAWeek }, 1);
    this.members.push({ memory, weight, count: 0, isTouched: false });
    if (this.members.length === 2) this.lend();
    return this.members.length - 1;
  }

  setWeight(series: number, weight: number): void {
    const member = this.members[series] as Member;
    this.#weights += weight - member.weight;
    member.weight = weight;
  }

  setBudget(budgetAWeek: number): void {
    this.#budgetAWeek = budgetAWeek;
    this.lend();
  }

  count(series: number, events: number): void {
    const member = this.members[series] as Member;
    member.count += events;
    member.isTouched = true;
  }

  /** Judges what has counted since the last look, within the step that runs: see `look` of a series. */
  look(timeMs: number, report: (series: number, change: Change) => void): void {
    const moment = momentOf(this.pace, timeMs);
    this.members.forEach((member, series) => {
      if (!member.isTouched) return;
      member.isTouched = false;
      const surroundings = { pace: this.pace, moment, lent: this.#lent, budgetAWeek: this.#shareOf(member) };
      for (const change of look(member.memory, surroundings, member.count)) report(series, change);
    });
  }

  /** Ends the step that began then, for all series. */
  endStep(timeMs: number, isKnown: boolean, report: (series: number, change: Change) => void): void {
    const moment = momentOf(this.pace, timeMs);
    const surroundings = { pace: this.pace, moment, lent: this.#lent, budgetAWeek: 0 };
    for (let series = 0; series < this.members.length; series++) {
      const member = this.members[series] as Member;
      const { numbers } = member.memory;
      surroundings.budgetAWeek = this.#shareOf(member);
      const rises = numbers[AT.blocks + UP];
      const drops = numbers[AT.blocks + DOWN];
      const changes = step(member.memory, surroundings, isKnown ? member.count : Number.NaN);
      for (const change of changes) report(series, change);
      if (numbers[AT.blocks + UP] !== rises) this.#pool.take(member.memory, this.pace, UP);
      if (numbers[AT.blocks + DOWN] !== drops) this.#pool.take(member.memory, this.pace, DOWN);
      member.count = 0;
      member.isTouched = false;
    }
    this.#steps++;
    const every = Math.max(1, Math.round(LENDING_MINUTES / this.pace.stepMinutes));
    if (this.#steps % every === 0) this.lend();
  }

  /** Brings what the series lend each other, and their shares, up to date. */
  lend(): void {
    this.#weights = this.members.reduce((sum, { weight }) => sum + weight, 0);
    if (this.members.length > 1) {
      this.#lent = this.#pool.read();
      lendDispersion(this.members.map(({ memory }) => memory));
    }
    for (const member of this.members) {
      const { pace } = this;
      recalibrate(member.memory, { pace, lent: this.#lent, budgetAWeek: this.#shareOf(member) });
    }
  }

  save(): SavedGroup {
    return { members: this.members, pool: this.#pool.toBytes(), lent: this.#lent, steps: this.#steps };
  }

  /** Of the budget: false incidents a week. */
  shareOf(series: number): number {
    return this.#shareOf(this.members[series] as Member);
  }

  /** Events that are expected of a step. */
  levelOf(series: number): number {
    return (this.members[series] as Member).memory.numbers[AT.level] as number;
  }

  #shareOf({ weight }: Member): number {
    return (this.#budgetAWeek * weight) / this.#weights;
  }
}
