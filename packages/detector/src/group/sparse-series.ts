import { rarityOf } from '../calibration/rare-budgets.ts';
import type { NextSilence } from '../series/expected-silence.ts';
import type { SilenceBudget } from '../series/silence-threshold.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { SavedRecords } from '../state/record-table.ts';
import { COARSE_LAYOUT, CoarseGroup, type ReportCoarse, type SavedCoarseGroup } from './coarse-group.ts';
import type { SeriesGroup } from './series-group.ts';
import { type ReportSilence, Silences } from './silences.ts';

/**
 * Sparse: fewer events a minute than this over the last week; no longer sparse: more than that. Between both nothing
 * changes, so that no series goes back and forth.
 */
const SPARSE_BELOW = 1;
const SPARSE_UP_TO = 2;
/** The same for a silence by the events expected since the last one: above, windows of a few minutes find it as soon. */
const SILENCE_BELOW = 10;
const SILENCE_UP_TO = 20;
/** Minutes after which a series is known to be sparse. One of errors is at once: it counts as silent before. */
const KNOWN_MINUTES = 30;

/** How a sparse series divides its share of the budget; one that is not gives a part of it to its silence alone. */
const MINUTE_PART = 0.4;
const COARSE_PART = 0.45;
const SILENCE_PART = 0.15;

export interface SavedSparseSeries {
  coarse: SavedCoarseGroup;
  silences: SavedRecords;
}

export interface SparseHooks {
  /** Whether a series is evaluated by its counts over hours: a percentage is not, nor what a share says more about. */
  isCounted: (index: number) => boolean;
  /** Whether none of its alarms at coarse steps is open. */
  mayRemove: (index: number) => boolean;
}

/**
 * Series with fewer events than one a minute, evaluated in steps of half an hour as well, beside the group of the minute and
 * under the same indices: ten errors in an hour are many where two a day are usual, and in no minutes are there enough of them.
 */
export class SparseSeries {
  /** The series at coarse steps. */
  readonly coarse: CoarseGroup;
  readonly #minutes: SeriesGroup;
  readonly #hooks: SparseHooks;
  /** Of those that are no errors: fewer of them are no incident. */
  readonly #silences: Silences;

  constructor(minutes: SeriesGroup, hooks: SparseHooks, saved?: SavedSparseSeries) {
    this.#minutes = minutes;
    this.#hooks = hooks;
    this.coarse = new CoarseGroup(
      {
        shareOf: (index) => minutes.budgetShareOf(index) * COARSE_PART,
        ofAll: () => minutes.budgetPerWeek,
      },
      saved?.coarse,
    );
    this.#silences = new Silences((index) => this.#budgetOfSilence(index), saved?.silences);
  }

  count(index: number, events: number): void {
    this.#silences.count(index, events);
    if (!this.coarse.has(index)) {
      if (!this.#minutes.isErrorSeries(index) || !this.#isSparse(index)) return;
      this.#add(index);
    }
    this.coarse.count(index, events);
  }

  /** Events from which nothing is learned: they are evaluated at the minute, and here show that the sender is not silent. */
  countUnlearned(index: number): void {
    this.#silences.countLate(index);
  }

  countLate(index: number, events: number): void {
    this.#silences.countLate(index);
    if (this.coarse.has(index)) this.coarse.countLate(index, events);
  }

  /** See `SeriesGroup`. */
  raiseLevelTo(index: number, perMinute: number): void {
    if (this.coarse.has(index)) this.coarse.raiseLevelTo(index, perMinute);
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

  /** To be called after the group of the minute has ended its step. */
  endMinute(
    timeMs: number,
    isKnown: boolean,
    report: ReportCoarse,
    isUnlearned?: (index: number) => boolean,
  ): void {
    const latestOf = (index: number) => this.#minutes.latestCountOf(index);
    this.coarse.endMinute(timeMs, isKnown, { latestOf, isUnlearned, report });
    if ((timeMs + MINUTE_MS) % (COARSE_LAYOUT.stepMinutes * MINUTE_MS) === 0) this.#choose();
  }

  /** Goes from the minute that began at a time to a later one; nothing is known of those between. */
  skip(fromMs: number, toMs: number, report: ReportCoarse): void {
    this.#silences.skip((toMs - fromMs) / MINUTE_MS);
    this.coarse.skip(fromMs, toMs, report);
  }

  save(): SavedSparseSeries {
    return { coarse: this.coarse.save(), silences: this.#silences.save() };
  }

  /** Adds the series that have become sparse, or rare enough for their silence, and removes those that are no longer. */
  #choose(): void {
    for (let index = 0; index < this.#minutes.size; index++) {
      const { perMinute, knownMinutes } = this.#minutes.rateOfWeek(index);
      if (this.coarse.has(index)) {
        const isOver = perMinute > SPARSE_UP_TO || !this.#hooks.isCounted(index);
        if (isOver && this.#hooks.mayRemove(index)) this.#removeSteps(index);
      } else if (knownMinutes >= KNOWN_MINUTES && this.#isSparse(index)) this.#add(index);
      if (this.#silences.has(index)) {
        if (perMinute > SILENCE_UP_TO && this.#hooks.mayRemove(index)) this.#removeSilence(index);
      } else if (knownMinutes >= KNOWN_MINUTES && perMinute < SILENCE_BELOW) this.#addSilence(index);
    }
  }

  #budgetOfSilence(index: number): SilenceBudget {
    const budgetPerWeek = this.#minutes.budgetShareOf(index) * SILENCE_PART;
    return { budgetPerWeek, rarity: rarityOf(this.#minutes.budgetPerWeek) };
  }

  #isSparse(index: number): boolean {
    return this.#minutes.rateOfWeek(index).perMinute < SPARSE_BELOW && this.#hooks.isCounted(index);
  }

  #add(index: number): void {
    this.coarse.watch(index, this.#minutes.newSeriesOf(index));
    this.#setPart(index);
  }

  #removeSteps(index: number): void {
    if (!this.coarse.has(index)) return;
    this.coarse.unwatch(index);
    this.#setPart(index);
  }

  #addSilence(index: number): void {
    if (this.#minutes.isErrorSeries(index) || !this.#hooks.isCounted(index)) return;
    this.#silences.add(index);
    this.#setPart(index);
  }

  #removeSilence(index: number): void {
    if (this.#silences.remove(index)) this.#setPart(index);
  }

  #setPart(index: number): void {
    const ofSilence = this.#silences.has(index) ? SILENCE_PART : 0;
    this.#minutes.setPart(index, this.coarse.has(index) ? MINUTE_PART : 1 - ofSilence);
  }
}
