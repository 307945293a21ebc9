import { ExpectedSilence, type NextSilence, type SilenceChange } from '../series/expected-silence.ts';
import { SilenceState } from '../series/silence-state.ts';
import type { SilenceBudget } from '../series/silence-threshold.ts';
import { RecordTable, type SavedRecords } from '../state/record-table.ts';
import { PostponedSteps } from './postponed-steps.ts';

export type ReportSilence = (index: number, change: SilenceChange) => void;

/** Expected silences of a project's series. An uneventful minute is postponed. */
export class Silences {
  readonly #budgetOf: (index: number) => SilenceBudget;
  /** Silences by the index of their series. */
  readonly #records: RecordTable;
  readonly #postponed: PostponedSteps;
  /** View that is moved to the silence that is needed. */
  readonly #view: ExpectedSilence;

  constructor(budgetOf: (index: number) => SilenceBudget, saved?: SavedRecords) {
    this.#budgetOf = budgetOf;
    this.#records = new RecordTable(SilenceState.floats, saved);
    this.#view = new ExpectedSilence({ buffer: this.#records.buffer, first: 0 });
    this.#postponed = new PostponedSteps(0, this.indices());
  }

  has(index: number): boolean {
    return this.#records.has(index);
  }

  indices(): number[] {
    return this.#records.indices();
  }

  add(index: number): void {
    this.#records.add(index);
    this.#at(index).begin();
    this.#postponed.add(index);
  }

  /** @returns whether there was one */
  remove(index: number): boolean {
    if (!this.#records.has(index)) return false;
    this.#records.remove(index);
    return true;
  }

  count(index: number, events: number): void {
    const silence = this.#get(index);
    if (!silence) return;
    silence.count(events);
    this.#postponed.evaluateNext(index);
  }

  /** Records events that are not evaluated, but show that the sender is not silent. */
  countLate(index: number): void {
    const silence = this.#get(index);
    if (!silence) return;
    silence.countLate();
    this.#postponed.evaluateNext(index);
  }

  /** @param isUnlearned missing: all series learn */
  endMinute(
    timeMs: number,
    isKnownToAll: boolean,
    report: ReportSilence,
    isUnlearned?: (index: number) => boolean,
  ): void {
    let current = 0;
    // One object for all silences: it is not kept.
    const minute = {
      timeMs,
      isKnown: isKnownToAll,
      isUnlearned: false,
      budget: () => this.#budgetOf(current),
    };
    for (let index = 0; index < this.#records.size; index++) {
      minute.isUnlearned = isUnlearned?.(index) ?? false;
      minute.isKnown = isKnownToAll && !minute.isUnlearned;
      if (minute.isKnown && this.#postponed.isPostponed(index)) continue;
      const silence = this.#get(index);
      if (!silence) continue;
      this.#catchUp(index, silence);
      current = index;
      const change = silence.endMinute(minute);
      this.#postponed.endOf(index, silence.uneventfulMinutes(timeMs));
      if (!change) continue;
      this.#postponed.reportOf(index);
      report(index, change);
    }
    this.#postponed.endStep();
  }

  /** Returns when the silence of a series is overdue if nothing comes; null where none is evaluated. */
  next(index: number, timeMs: number): NextSilence | null {
    const silence = this.#get(index);
    if (!silence) return null;
    this.#catchUp(index, silence);
    return silence.next(timeMs, this.#budgetOf(index));
  }

  /** Skips unknown minutes. */
  skip(minutes: number): void {
    for (const index of this.indices()) {
      const silence = this.#at(index);
      this.#catchUp(index, silence);
      this.#postponed.evaluateNext(index);
      silence.skip(minutes);
    }
  }

  save(): SavedRecords {
    for (const index of this.indices()) this.#catchUp(index, this.#at(index));
    return this.#records.save();
  }

  #get(index: number): ExpectedSilence | undefined {
    return this.#records.has(index) ? this.#at(index) : undefined;
  }

  /** Returns the silence of an index, until this is called with another one. */
  #at(index: number): ExpectedSilence {
    this.#view.first = this.#records.firstOf(index);
    return this.#view;
  }

  #catchUp(index: number, silence: ExpectedSilence): void {
    silence.takeUneventfulMinutes(this.#postponed.take(index));
  }
}
