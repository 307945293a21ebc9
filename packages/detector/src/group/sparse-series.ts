import { rarityOf } from '../calibration/rare-budgets.ts';
import type { AlarmChange } from '../series/alarm-state.ts';
import { slowestRate } from '../series/level.ts';
import type { SilenceBudget } from '../series/silence-threshold.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { SavedRecords } from '../state/record-table.ts';
import { COARSE_STEPS, type CoarseStep } from '../state/resolution.ts';
import { UP } from '../state/side.ts';
import { CoarseGroup, type UnlearnedMinutes } from './coarse-group.ts';
import { closeRisesThatAreOver } from './coarse-rises.ts';
import type { SavedGroup, SeriesGroup } from './series-group.ts';
import { Silences } from './silences.ts';

/**
 * Sparse: fewer events a minute than this over the last week; no longer sparse: more than twice as many. Between both
 * nothing changes, so that no series goes back and forth.
 */
const SPARSE_BELOW = 1;
/** The same for a silence by the events expected since the last one: above, windows of a few minutes find it as soon. */
const SILENCE_BELOW = 10;
/** Minutes after which a series is known to be sparse. An error series is at once: it counts as silent before. */
const KNOWN_MINUTES = 30;

/** Part of its share of the budget that a sparse series gives to each coarse step, and any to its silence. */
const PART = 0.15;

export interface SavedSparseSeries {
  /** Groups by `COARSE_STEPS`. */
  groups: SavedGroup[];
  /** Minutes of the running step whose counts say nothing, by `COARSE_STEPS`. */
  unknownMinutes: number[];
  /** The same of single series. */
  unlearnedMinutes: UnlearnedMinutes[];
  silences: SavedRecords;
}

export interface SparseHooks {
  /** True if a series is evaluated by its counts over hours: a percentage is not, nor what a share says more about. */
  isCounted: (index: number) => boolean;
  /** True if all that rose with it at the minute is over: see `isRiseOver`. */
  othersAreOver: (index: number) => boolean;
  /** True if none of its alarms at coarse steps is open. */
  mayRemove: (index: number) => boolean;
}

export type ReportCoarse = (step: CoarseStep, index: number, change: AlarmChange) => void;

/**
 * Series with fewer events than one a minute, evaluated in steps of 30, 120 and 360 minutes as well, beside the group of
 * the minute and under the same indices: ten errors in an hour are many where two a day are usual, and in no half hour are
 * there enough of them. Rises are evaluated within the running step.
 */
export class SparseSeries {
  readonly #minutes: SeriesGroup;
  readonly #hooks: SparseHooks;
  readonly #coarse: CoarseGroup[];
  /** Silences of all series but those of errors: fewer errors are no incident. They are evaluated after the minute has ended. */
  readonly silences: Silences;

  constructor(minutes: SeriesGroup, budgetPerWeek: number, hooks: SparseHooks, saved?: SavedSparseSeries) {
    this.#minutes = minutes;
    this.#hooks = hooks;
    const budgetShareOf = (index: number) => minutes.budgetShareOf(index);
    this.#coarse = createGroups({ budgetPerWeek, budgetShareOf }, saved);
    this.silences = new Silences((index) => this.#budgetOfSilence(index), saved?.silences);
  }

  /** Number of sparse series. */
  get size(): number {
    return this.#halfHours.series.count;
  }

  get #halfHours(): SeriesGroup {
    return this.groupOf(COARSE_STEPS[0]);
  }

  /** True if a series is sparse: then it is watched at all coarse steps. */
  #has(index: number): boolean {
    return this.#halfHours.series.has(index);
  }

  groupOf(step: CoarseStep): SeriesGroup {
    return (this.#coarse[COARSE_STEPS.indexOf(step)] as CoarseGroup).group; // there is one for each step
  }

  /** Returns the groups of all coarse steps that watch a series, the shortest first; none where it is not sparse. */
  groupsOf(index: number): readonly CoarseGroup[] {
    return this.#has(index) ? this.#coarse : [];
  }

  count(index: number, events: number): void {
    this.silences.count(index, events);
    if (!this.#has(index)) {
      if (!this.#minutes.series.peek(index).isErrorSeries || !this.#isSparse(index)) return;
      this.#add(index);
    }
    for (const { group } of this.#coarse) group.count(index, events);
  }

  countLate(index: number, events: number): void {
    this.silences.countLate(index);
    for (const { group } of this.groupsOf(index)) group.countLate(index, events);
  }

  setBudget(budgetPerWeek: number): void {
    for (const { group } of this.#coarse) group.setBudget(budgetPerWeek);
  }

  /** Forgets a series: the index belongs to another one from now on. */
  remove(index: number): void {
    this.#removeSteps(index);
    this.#removeSilence(index);
  }

  /** Ends a minute after the group of the minute has ended it. */
  endMinute(
    timeMs: number,
    isKnown: boolean,
    report: ReportCoarse,
    isUnlearned?: (index: number) => boolean,
  ): void {
    const endMs = timeMs + MINUTE_MS;
    const latestOf = (index: number) => this.#minutes.series.read(index).latestCount();
    for (const coarse of this.#coarse)
      coarse.endMinute(timeMs, isKnown, {
        latestOf,
        isUnlearned,
        report: (index, change) => report(coarse.step, index, change),
      });
    if (endMs % (COARSE_STEPS[0] * MINUTE_MS) !== 0) return;
    if (isKnown)
      closeRisesThatAreOver({
        groups: this.#coarse,
        shortest: this.#halfHours,
        endMs,
        othersAreOver: this.#hooks.othersAreOver,
        report: (step, index) => report(step, index, { kind: 'closes', side: UP }),
      });
    this.#choose();
  }

  /** Goes from the minute that began at a time to a later one; the minutes between are unknown. */
  skip(fromMs: number, toMs: number, report: ReportCoarse): void {
    this.silences.skip((toMs - fromMs) / MINUTE_MS);
    for (const coarse of this.#coarse)
      coarse.skip(fromMs, toMs, (index, change) => report(coarse.step, index, change));
  }

  save(): SavedSparseSeries {
    return {
      groups: this.#coarse.map(({ group }) => group.save()),
      unknownMinutes: this.#coarse.map(({ unknownMinutes }) => unknownMinutes),
      unlearnedMinutes: this.#coarse.map(({ unlearnedMinutes }) => unlearnedMinutes),
      silences: this.silences.save(),
    };
  }

  /** Adds the series that have become sparse, or rare enough for their silence, and removes those that are no longer. */
  #choose(): void {
    for (let index = 0; index < this.#minutes.series.size; index++) {
      const { perMinute, knownMinutes } = this.#minutes.series.read(index).rateOfWeek();
      if (this.#has(index)) {
        const isOver = perMinute > 2 * SPARSE_BELOW || !this.#hooks.isCounted(index);
        if (isOver && this.#hooks.mayRemove(index)) this.#removeSteps(index);
      } else if (knownMinutes >= KNOWN_MINUTES && this.#isSparse(index)) this.#add(index);
      if (this.silences.has(index)) {
        if (perMinute > 2 * SILENCE_BELOW && this.#hooks.mayRemove(index)) this.#removeSilence(index);
      } else if (knownMinutes >= KNOWN_MINUTES && perMinute < SILENCE_BELOW) this.#addSilence(index);
    }
  }

  #budgetOfSilence(index: number): SilenceBudget {
    const budgetPerWeek = this.#minutes.budgetShareOf(index) * PART;
    return { budgetPerWeek, rarity: rarityOf(this.#minutes.budgetPerWeek) };
  }

  #isSparse(index: number): boolean {
    const { perMinute } = this.#minutes.series.read(index).rateOfWeek();
    return perMinute < SPARSE_BELOW && this.#hooks.isCounted(index);
  }

  /** Watches a series at all coarse steps. An error series counts as silent there only before its first event. */
  #add(index: number): void {
    const { weight, isErrorSeries, state, resolution } = this.#minutes.series.read(index);
    const { knownMinutes, events } = slowestRate(state, resolution);
    const series = { weight, isErrorSeries, mayBeOld: knownMinutes === 0 || events > 0, part: PART };
    for (const { group } of this.#coarse) group.watch(index, series);
    this.#setParts(index);
  }

  #removeSteps(index: number): void {
    if (!this.#has(index)) return;
    for (const { group } of this.#coarse) group.series.remove(index);
    this.#setParts(index);
  }

  #addSilence(index: number): void {
    if (this.#minutes.series.peek(index).isErrorSeries || !this.#hooks.isCounted(index)) return;
    this.silences.add(index);
    this.#setParts(index);
  }

  #removeSilence(index: number): void {
    if (this.silences.remove(index)) this.#setParts(index);
  }

  #setParts(index: number): void {
    const isSparse = this.#has(index);
    const ofSilence = this.silences.has(index) ? PART : 0;
    this.#minutes.series.change(index).part = 1 - (isSparse ? (COARSE_STEPS.length + 1) * PART : ofSilence);
    for (const { group } of this.groupsOf(index)) group.series.change(index).part = PART;
  }
}

/** Creates the groups outside of the constructor, whose closures would keep all that was saved. */
function createGroups(
  budget: { budgetPerWeek: number; budgetShareOf: (index: number) => number },
  saved: SavedSparseSeries | undefined,
): CoarseGroup[] {
  return COARSE_STEPS.map((step, at) => {
    const [group, unknownMinutes] = [saved?.groups[at], saved?.unknownMinutes[at]];
    const unlearnedMinutes = saved?.unlearnedMinutes[at];
    return new CoarseGroup(step, { ...budget, saved: group, unknownMinutes, unlearnedMinutes });
  });
}
