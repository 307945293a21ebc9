import { rarityOf } from '../calibration/rare-budgets.ts';
import type { AlarmChange } from '../series/alarm-state.ts';
import type { NextSilence } from '../series/expected-silence.ts';
import type { OpeningCounts } from '../series/opening-counts.ts';
import type { SilenceBudget } from '../series/silence-threshold.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { SavedRecords } from '../state/record-table.ts';
import { COARSE_STEPS, type CoarseStep } from '../state/resolution.ts';
import { type Side, UP } from '../state/side.ts';
import { CoarseGroup, type UnlearnedMinutes } from './coarse-group.ts';
import type { SavedGroup, SeriesGroup } from './series-group.ts';
import { type ReportSilence, Silences } from './silences.ts';
import type { NewSeries } from './tracked-series.ts';

/**
 * Sparse: fewer events a minute than this over the last week; no longer sparse: more than twice as many. Between both
 * nothing changes, so that no series goes back and forth.
 */
const SPARSE_BELOW = 1;
/** The same for a silence by the events expected since the last one: above, windows of a few minutes find it as soon. */
const SILENCE_BELOW = 10;
/** Minutes after which a series is known to be sparse. One of errors is at once: it counts as silent before. */
const KNOWN_MINUTES = 30;

/** Part of its share of the budget that a sparse series gives to each coarse step, and any to its silence. */
const PART = 0.15;

export interface SavedSparseSeries {
  /** Of the groups, by `COARSE_STEPS`. */
  groups: SavedGroup[];
  /** Minutes of the step that runs, by `COARSE_STEPS`, whose counts say nothing. */
  unknownMinutes: number[];
  /** Of single series, by `COARSE_STEPS`; missing: none. */
  unlearnedMinutes?: UnlearnedMinutes[];
  silences: SavedRecords;
}

export interface SparseHooks {
  /** True if a series is evaluated by its counts over hours: a percentage is not, nor what a share says more about. */
  isCounted: (index: number) => boolean;
  /** True if what rose with it at the minute is over: see `isRiseOver`. */
  othersAreOver: (index: number) => boolean;
  /** True if none of its alarms at coarse steps is open. */
  mayRemove: (index: number) => boolean;
}

export type ReportCoarse = (step: CoarseStep, index: number, change: AlarmChange) => void;

/**
 * Series with fewer events than one a minute, evaluated in steps of 30, 120 and 360 minutes as well, beside the group of
 * the minute and under the same indices: ten errors in an hour are many where two a day are usual, and in no half hour are
 * there enough of them. Rises are evaluated within the step that runs.
 */
export class SparseSeries {
  readonly #minutes: SeriesGroup;
  readonly #hooks: SparseHooks;
  readonly #coarse: CoarseGroup[];
  /** Of those that are no errors: fewer of them are no incident. */
  readonly #silences: Silences;

  constructor(minutes: SeriesGroup, budgetPerWeek: number, hooks: SparseHooks, saved?: SavedSparseSeries) {
    this.#minutes = minutes;
    this.#hooks = hooks;
    const budgetShareOf = (index: number) => minutes.budgetShareOf(index);
    this.#coarse = createGroups({ budgetPerWeek, budgetShareOf }, saved);
    this.#silences = new Silences((index) => this.#budgetOfSilence(index), saved?.silences);
  }

  /** How many series are sparse. */
  get size(): number {
    return this.#halfHours.seriesCount;
  }

  /** A sparse series is watched at all coarse steps. */
  get #halfHours(): SeriesGroup {
    return this.groupOf(COARSE_STEPS[0]);
  }

  #has(index: number): boolean {
    return this.#halfHours.has(index);
  }

  groupOf(step: CoarseStep): SeriesGroup {
    return (this.#coarse[COARSE_STEPS.indexOf(step)] as CoarseGroup).group; // there is one for each step
  }

  count(index: number, events: number): void {
    this.#silences.count(index, events);
    if (!this.#has(index)) {
      if (!this.#minutes.isErrorSeries(index) || !this.#isSparse(index)) return;
      this.#add(index);
    }
    for (const { group } of this.#coarse) group.count(index, events);
  }

  /** Events from which nothing is learned: they are evaluated at the minute, and here show that the sender is not silent. */
  countUnlearned(index: number): void {
    this.#silences.countLate(index);
  }

  countLate(index: number, events: number): void {
    this.#silences.countLate(index);
    if (!this.#has(index)) return;
    for (const { group } of this.#coarse) group.countLate(index, events);
  }

  /** See `SeriesGroup`. */
  raiseLevelTo(index: number, perMinute: number): void {
    if (!this.#has(index)) return;
    for (const { step, group } of this.#coarse) group.raiseLevelTo(index, perMinute * step);
  }

  setBudget(budgetPerWeek: number): void {
    for (const { group } of this.#coarse) group.setBudget(budgetPerWeek);
  }

  /** The index belongs to another series from now on. */
  remove(index: number): void {
    this.#removeSteps(index);
    this.#removeSilence(index);
  }

  /** To be called after the steps of the same minute have ended. */
  endSilences(
    timeMs: number,
    isKnown: boolean,
    report: ReportSilence,
    isUnlearned?: (index: number) => boolean,
  ): void {
    this.#silences.endMinute(timeMs, isKnown, report, isUnlearned);
  }

  /** When the silence of a series is overdue if nothing comes; null where none is evaluated. */
  nextSilenceOf(index: number, timeMs: number): NextSilence | null {
    return this.#silences.next(index, timeMs);
  }

  /** The counts that would open an alarm of a series in the steps that run at a time; none where it is not sparse. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    if (!this.#has(index)) return [];
    return this.#coarse.flatMap((coarse) =>
      coarse.group.openingCountsOf(index, coarse.beginningOfStep(timeMs)),
    );
  }

  /** To be called after the group of the minute has ended its step. */
  endMinute(
    timeMs: number,
    isKnown: boolean,
    report: ReportCoarse,
    isUnlearned?: (index: number) => boolean,
  ): void {
    const endMs = timeMs + MINUTE_MS;
    const latestOf = (index: number) => this.#minutes.latestCountOf(index);
    for (const coarse of this.#coarse)
      coarse.endMinute(timeMs, isKnown, {
        latestOf,
        isUnlearned,
        report: (index, change) => report(coarse.step, index, change),
      });
    if (endMs % (COARSE_STEPS[0] * MINUTE_MS) !== 0) return;
    if (isKnown) this.#closeRises(endMs, report);
    this.#choose();
  }

  /** Longer steps end late: a rise that the last half hours say is over closes at all of them. */
  #closeRises(endMs: number, report: ReportCoarse): void {
    const [shortest] = COARSE_STEPS;
    const halfHours = this.#halfHours;
    const beganMs = endMs - shortest * MINUTE_MS;
    for (const { step, group } of this.#coarse) {
      for (const index of halfHours.indices()) {
        const rise = group.riseOf(index, endMs);
        if (!rise) continue;
        const othersAreOver = this.#hooks.othersAreOver(index);
        if (!halfHours.isRiseOver(index, beganMs, { ...rise, othersAreOver })) continue;
        group.closeRise(index);
        report(step, index, { kind: 'closes', side: UP });
      }
    }
  }

  /** Goes from the minute that began at a time to a later one; nothing is known of those between. */
  skip(fromMs: number, toMs: number, report: ReportCoarse): void {
    this.#silences.skip((toMs - fromMs) / MINUTE_MS);
    for (const coarse of this.#coarse)
      coarse.skip(fromMs, toMs, (index, change) => report(coarse.step, index, change));
  }

  /** A person has resolved an incident of a series: see `SeriesGroup`. */
  rearm(index: number, mayRearm: (step: CoarseStep) => boolean): void {
    if (!this.#has(index)) return;
    for (const { step, group } of this.#coarse) if (mayRearm(step)) group.rearm(index);
  }

  /**
   * True if a finer step had an alarm in the minutes before: then what a window of these minutes finds is reported, and a
   * second alarm would only hold the incident for as long as the window.
   */
  isReportedByFiner(
    step: CoarseStep,
    { index, side, withinMinutes }: { index: number; side: Side; withinMinutes: number },
  ): boolean {
    const finer = this.#coarse.filter((coarse) => coarse.step < step).map(({ group }) => group);
    return [this.#minutes, ...finer].some((group) => group.hadAlarm(index, side, withinMinutes));
  }

  /** True if an alarm of a side closed at a coarse step, at most so many minutes ago. */
  hadClosed(index: number, side: Side, withinMinutes: number): boolean {
    if (!this.#has(index)) return false;
    return this.#coarse.some(({ group }) => group.hadClosed(index, side, withinMinutes));
  }

  /** The coarser steps of a sparse series whose last step was usual again. */
  quietSteps(index: number, side: Side, coarserThan: number): CoarseStep[] {
    if (!this.#has(index)) return [];
    const quiet = this.#coarse.filter(({ step, group }) => step > coarserThan && group.isQuiet(index, side));
    return quiet.map(({ step }) => step);
  }

  save(): SavedSparseSeries {
    return {
      groups: this.#coarse.map(({ group }) => group.save()),
      unknownMinutes: this.#coarse.map(({ unknownMinutes }) => unknownMinutes),
      ...(this.#coarse.some(({ unlearnedMinutes }) => unlearnedMinutes.length > 0) && {
        unlearnedMinutes: this.#coarse.map(({ unlearnedMinutes }) => unlearnedMinutes),
      }),
      silences: this.#silences.save(),
    };
  }

  /** Adds the series that have become sparse, or rare enough for their silence, and removes those that are no longer. */
  #choose(): void {
    for (let index = 0; index < this.#minutes.size; index++) {
      const { perMinute, knownMinutes } = this.#minutes.rateOfWeek(index);
      if (this.#has(index)) {
        const isOver = perMinute > 2 * SPARSE_BELOW || !this.#hooks.isCounted(index);
        if (isOver && this.#hooks.mayRemove(index)) this.#removeSteps(index);
      } else if (knownMinutes >= KNOWN_MINUTES && this.#isSparse(index)) this.#add(index);
      if (this.#silences.has(index)) {
        if (perMinute > 2 * SILENCE_BELOW && this.#hooks.mayRemove(index)) this.#removeSilence(index);
      } else if (knownMinutes >= KNOWN_MINUTES && perMinute < SILENCE_BELOW) this.#addSilence(index);
    }
  }

  #budgetOfSilence(index: number): SilenceBudget {
    const budgetPerWeek = this.#minutes.budgetShareOf(index) * PART;
    return { budgetPerWeek, rarity: rarityOf(this.#minutes.budgetPerWeek) };
  }

  #isSparse(index: number): boolean {
    return this.#minutes.rateOfWeek(index).perMinute < SPARSE_BELOW && this.#hooks.isCounted(index);
  }

  #add(index: number): void {
    const series: NewSeries = { ...this.#minutes.newSeriesOf(index), part: PART };
    for (const { group } of this.#coarse) group.watch(index, series);
    this.#setParts(index);
  }

  #removeSteps(index: number): void {
    if (!this.#has(index)) return;
    for (const { group } of this.#coarse) group.unwatch(index);
    this.#setParts(index);
  }

  #addSilence(index: number): void {
    if (this.#minutes.isErrorSeries(index) || !this.#hooks.isCounted(index)) return;
    this.#silences.add(index);
    this.#setParts(index);
  }

  #removeSilence(index: number): void {
    if (this.#silences.remove(index)) this.#setParts(index);
  }

  #setParts(index: number): void {
    const isSparse = this.#has(index);
    const ofSilence = this.#silences.has(index) ? PART : 0;
    this.#minutes.setPart(index, 1 - (isSparse ? (COARSE_STEPS.length + 1) * PART : ofSilence));
    if (isSparse) for (const { group } of this.#coarse) group.setPart(index, PART);
  }
}

/** Apart from the constructor, whose closures are kept: they would keep all that was saved, too. */
function createGroups(
  budget: { budgetPerWeek: number; budgetShareOf: (index: number) => number },
  saved: SavedSparseSeries | undefined,
): CoarseGroup[] {
  return COARSE_STEPS.map((step, at) => {
    const [group, unknownMinutes] = [saved?.groups[at], saved?.unknownMinutes[at]];
    const unlearnedMinutes = saved?.unlearnedMinutes?.[at];
    return new CoarseGroup(step, { ...budget, saved: group, unknownMinutes, unlearnedMinutes });
  });
}
