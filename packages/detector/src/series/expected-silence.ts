import { HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import { RecordBuffer } from '../state/record-buffer.ts';
import type { RecordPlace } from '../state/record-view.ts';
import { MINUTES_PER_DAY } from '../state/resolution.ts';
import { isSeasonal } from './seasonality.ts';
import { endHour, learnRecentRate, meanRate, rateAt, unlearnSilence, whenExpected } from './silence-rate.ts';
import {
  DAY_COUNT,
  DAY_KNOWN,
  ELAPSED,
  ELAPSED_UNKNOWN,
  EXPECTED,
  FACTOR,
  HAS_LATE,
  HOUR_COUNT,
  HOUR_KNOWN,
  MINUTE_COUNT,
  RATE,
  REPORTED,
  REPORTED_EXPECTED,
  SILENCE_FLOATS,
  SilenceState,
  STATUS,
} from './silence-state.ts';
import {
  addToBlock,
  isUsualSilence,
  learnGaps,
  recordReported,
  type SilenceBudget,
  silenceThreshold,
} from './silence-threshold.ts';

/** As an outage, a silence becomes the new normal after a day; the rates learn from it after two. */
const REPORTED_MINUTES = MINUTES_PER_DAY;
const UNLEARNED_MINUTES = 2 * MINUTES_PER_DAY;
/** No silence of fewer expected events is one: most minutes end here, before anything is sorted. */
const MIN_EXPECTED = 5;

const IDLE = 0;
const OPEN = 1;
/** It was reported, and is over or accepted: nothing more is before the next event. */
const ACCEPTED = 2;

export type SilenceChange =
  /** `season`: what was expected is of the time of the day; missing: of any. */
  | { kind: 'opens'; expected: number; elapsedMinutes: number; strength: number; season?: 'day' }
  | { kind: 'closes' };

/** The silence that began with the last event, and when it is overdue. */
export interface NextSilence {
  /** Events that were expected since the last one. */
  expected: number;
  /** It is overdue where more than so many are. */
  threshold: number;
  /** Since when it is, or, if nothing comes, from when on at the learned rates; null: not within four weeks. */
  dueMs: number | null;
}

/** A minute that has ended. */
export interface EndedMinute {
  timeMs: number;
  isKnown: boolean;
  /** Nothing is learned from it: it is not known, and an event only shows that the sender is not silent. */
  isUnlearned?: boolean;
  /** Few silences are long enough to need it. */
  budget: () => SilenceBudget;
}

/**
 * The silence of a series of up to several events a minute, by the events that were expected since the last one: a window
 * without an upper length. For Poisson counts that number is
 * exponentially distributed with mean 1 at each event, whatever their rate does (time rescaling: Brown et al., 2002). Clumps
 * and a rate that wanders make its tail longer: s = Σx²/(2Σx) over all gaps x is the mean of an exponential tail, weighted by
 * length, so 1 for Poisson counts and k for clumps of k. The largest of a block of n such gaps has a Gumbel distribution of
 * scale s at s·ln n; location and scale are fitted to the largest of the last blocks and shrunk to that. The rate is that of the hour of the day, less on
 * weekdays below the mean (not more on others: the hours of a night need not follow their weekday), gamma estimates with
 * the mean as prior, lowered where fewer came lately than expected. Gaps count on weekdays that
 * were seen before. The thresholds follow from the budget; weights and memories are our own.
 */
export class ExpectedSilence {
  readonly #state: SilenceState;

  /** @param place record that holds it already, or that `begin` is called on; missing: a new one */
  constructor(place?: RecordPlace) {
    const { buffer, first } = place ?? { buffer: new RecordBuffer(SILENCE_FLOATS), first: 0 };
    this.#state = new SilenceState(buffer, first);
    if (!place) this.begin();
  }

  /** Makes a record of zeros that of a new series. */
  begin(): void {
    this.#state.begin();
  }

  /** Makes it a view of another record. */
  moveTo(first: number): this {
    this.#state.first = first;
    return this;
  }

  count(events: number): void {
    this.#state.add(MINUTE_COUNT, events);
  }

  /** Late events are not counted, but show that the sender is not silent. */
  countLate(): void {
    this.#state.set(HAS_LATE, 1);
  }

  endMinute({ timeMs, isKnown, isUnlearned, budget }: EndedMinute): SilenceChange | null {
    const events = this.#state.take(MINUTE_COUNT);
    const hasEvents = this.#state.take(HAS_LATE) > 0 || events > 0;
    if (timeMs % HOUR_MS === 0) this.#state.set(RATE, rateAt(this.#state, timeMs));
    const expected = isKnown ? this.#state.at(RATE) * this.#state.at(FACTOR) : 0;
    this.#state.add(ELAPSED, 1);
    if (!isKnown) this.#state.add(ELAPSED_UNKNOWN, 1);
    this.#state.add(EXPECTED, expected);
    let change: SilenceChange | null = null;
    if (hasEvents) change = isUnlearned ? this.#startOver() : this.#endGap(events, expected);
    else if (isKnown) change = this.#evaluate(timeMs, budget);
    if (isKnown) this.#learn(events, expected);
    if ((timeMs + MINUTE_MS) % HOUR_MS === 0) endHour(this.#state, timeMs);
    return change;
  }

  /**
   * After the minute that began at a time: how many of the next, if they are known and hold no event, only add to what is
   * expected. They are of the same hour, which they do not end, and leave the silence too short to be evaluated.
   */
  uneventfulMinutes(timeMs: number): number {
    const status = this.#state.at(STATUS);
    if (status === OPEN) return 0;
    const leftOfHour = (HOUR_MS - modulo(timeMs, HOUR_MS)) / MINUTE_MS - 2;
    const rate = this.#state.at(RATE) * this.#state.at(FACTOR);
    // A minute less than fits, for the rounding of sums that are 32-bit floats.
    const left = (MIN_EXPECTED - this.#state.at(EXPECTED)) / rate - 1;
    const minutes = status === IDLE && rate > 0 ? Math.min(leftOfHour, left) : leftOfHour;
    return minutes > 0 ? Math.floor(minutes) : 0;
  }

  /** Takes in minutes that `uneventfulMinutes` has said to be uneventful, as `endMinute` does. */
  takeUneventfulMinutes(minutes: number): void {
    if (minutes === 0) return;
    const expected = this.#state.at(RATE) * this.#state.at(FACTOR);
    for (let minute = 0; minute < minutes; minute++) {
      this.#state.add(ELAPSED, 1);
      this.#state.add(EXPECTED, expected);
      this.#learn(0, expected);
    }
  }

  /**
   * When the silence is overdue, at the beginning of the minute that runs; null where too little is known, or where nothing
   * more is reported before the next event.
   */
  next(timeMs: number, budget: SilenceBudget): NextSilence | null {
    const status = this.#state.at(STATUS);
    const threshold = Math.max(MIN_EXPECTED, silenceThreshold(this.#state, budget));
    if (status === ACCEPTED || threshold === Number.POSITIVE_INFINITY) return null;
    const expected = this.#state.at(EXPECTED);
    const reportedMs = timeMs - (this.#state.at(ELAPSED) - this.#state.at(REPORTED)) * MINUTE_MS;
    const dueMs = status === OPEN ? reportedMs : whenExpected(this.#state, threshold - expected, timeMs);
    return { expected, threshold, dueMs };
  }

  /** Nothing is known of the time until then. */
  skip(minutes: number): void {
    this.#state.add(ELAPSED, minutes);
    this.#state.add(ELAPSED_UNKNOWN, minutes);
    for (const each of [HOUR_COUNT, HOUR_KNOWN, DAY_COUNT, DAY_KNOWN, RATE]) this.#state.set(each, 0);
  }

  /**
   * A silence that was reported is no gap until it is usual, then one as long as it took to be; but it tells that fewer
   * events came lately.
   * @param expected in the minute; its events come at random moments of it
   */
  #endGap(events: number, expected: number): SilenceChange | null {
    const short = expected / (events + 1);
    const whole = this.#state.take(EXPECTED) - expected + short;
    const status = this.#state.take(STATUS);
    const gap = status === IDLE ? whole : this.#state.at(REPORTED_EXPECTED);
    const others = Math.max(0, events - 1);
    this.#restart();
    // Late events alone end a gap at the end of the minute.
    this.#state.set(EXPECTED, events > 0 ? short : 0);
    const isGap = status === IDLE || isUsualSilence(this.#state);
    learnGaps(this.#state, isGap ? gap : 0, { number: others, expected: short });
    learnRecentRate(this.#state, events, gap + others * short);
    if (status !== IDLE) recordReported(this.#state);
    return status === OPEN ? { kind: 'closes' } : null;
  }

  /** What was expected before is no gap: when it ended is not known. */
  #startOver(): SilenceChange | null {
    this.#restart();
    return this.#state.take(STATUS) === OPEN ? { kind: 'closes' } : null;
  }

  #restart(): void {
    for (const each of [ELAPSED, ELAPSED_UNKNOWN, EXPECTED]) this.#state.set(each, 0);
  }

  #evaluate(timeMs: number, budget: () => SilenceBudget): SilenceChange | null {
    const status = this.#state.at(STATUS);
    if (status === OPEN && this.#reportedMinutes() >= REPORTED_MINUTES) {
      this.#state.set(STATUS, ACCEPTED);
      return { kind: 'closes' };
    }
    const expected = this.#state.at(EXPECTED);
    if (status !== IDLE || expected < MIN_EXPECTED) return null;
    const threshold = silenceThreshold(this.#state, budget());
    if (expected <= threshold) return null;
    this.#state.set(STATUS, OPEN);
    this.#state.set(REPORTED, this.#state.at(ELAPSED));
    if (!isUsualSilence(this.#state)) unlearnSilence(this.#state, timeMs);
    this.#state.set(REPORTED_EXPECTED, expected);
    const elapsedMinutes = this.#state.at(ELAPSED);
    const season = isSeasonal(expected / elapsedMinutes, meanRate(this.#state)) && { season: 'day' as const };
    return { kind: 'opens', expected, elapsedMinutes, strength: expected / threshold, ...season };
  }

  /** Since it was reported. */
  #reportedMinutes(): number {
    return this.#state.at(ELAPSED) - this.#state.at(REPORTED);
  }

  #learn(events: number, expected: number): void {
    if (this.#state.at(STATUS) !== IDLE && this.#reportedMinutes() < UNLEARNED_MINUTES) return;
    this.#state.add(HOUR_COUNT, events);
    this.#state.add(HOUR_KNOWN, 1);
    this.#state.add(DAY_COUNT, events);
    this.#state.add(DAY_KNOWN, 1);
    addToBlock(this.#state, expected, this.#state.at(STATUS) === IDLE ? this.#state.at(EXPECTED) : 0);
  }
}
