import { EVIDENCE } from '../calibration/block-maxima.ts';
import { fitGumbel, paretoQuantile } from '../calibration/gumbel-tail.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';

const HOURS = 24;
const WEEKDAYS = 7;
/** Days that the rate of an hour of the day is remembered for, and weeks that of a weekday is. */
const MEMORY_DAYS = 28;
const MEMORY_WEEKS = 4;
/** The mean rate counts for as much as this many events of an hour, or of a weekday. */
const PRIOR_EVENTS = 2;
/** A period counts for at most twice what is usual and so many events more: after a burst a usual gap is not long. */
const MAX_BURST_EVENTS = 10;
/** The rate since the last events, against the profile: its memory, and the weight of a ratio of 1, in expected events. */
const RECENT_EVENTS = 20;
const RECENT_PRIOR_EVENTS = 5;

/** A block of gaps lasts at least a day, and as long as so many events are expected. */
const MIN_BLOCK_EVENTS = 10;
const KEPT_MAXIMA = 16;
const MIN_BLOCKS = 5;
const QUANTILE = 0.85;
/** Where the rate wanders the tail is heavier than exponential. Chosen on log-normal rates of σ 1 that wander within four hours. */
const TAIL_INDEX = 0.12;
/** The scale that all gaps show, with some more for what they did not show yet, counts for as much as so many blocks. */
const PRIOR_SCALE_FACTOR = 1.4;
const PRIOR_BLOCKS = 8;
/** Its memory, and the weight of the exponential scale of 1, in expected events. */
const SCALE_EVENTS = 500;
const SCALE_PRIOR_EVENTS = 20;
/** A silence is at least so many times the longest gap that is remembered. */
const MAX_SEEN_FACTOR = 1.5;
/** As an outage, a silence becomes the new normal after a day. */
const REPORTED_MINUTES = MINUTES_PER_DAY;
/** No silence of fewer expected events is one: most minutes end here, before anything is sorted. */
const MIN_EXPECTED = 5;
/** A silence that is due later has no time: the rates are not known for longer. */
const FORESEEN_HOURS = MEMORY_WEEKS * WEEKDAYS * HOURS;

const IDLE = 0;
const OPEN = 1;
/** It was reported, and is over or accepted: nothing more is before the next event. */
const ACCEPTED = 2;

let length = 0;
const place = (floats: number) => (length += floats) - floats;
/** Events, and after them the hours in which they came. */
const HOUR_SUMS = place(HOURS);
const HOUR_TIMES = place(HOURS);
const WEEKDAY_SUMS = place(2 * WEEKDAYS);
const MAXIMA = place(KEPT_MAXIMA);
/** Events of the minute, the hour and the day that run, and their known minutes. */
const MINUTE_COUNT = place(1);
const HAS_LATE = place(1);
const HOUR_COUNT = place(1);
const HOUR_KNOWN = place(1);
const DAY_COUNT = place(1);
const DAY_KNOWN = place(1);
/** Of the hour that runs, a minute. */
const RATE = place(1);
const FACTOR = place(1);
const SEEN = place(1);
const PREDICTED = place(1);
/** Since the last event. */
const EXPECTED = place(1);
const ELAPSED = place(1);
/** Sums over gaps: of expected events, and of their squares. */
const GAPS = place(1);
const SQUARES = place(1);
const STATUS = place(1);
/** When the silence was reported, and what was expected until then. */
const REPORTED = place(1);
const REPORTED_EXPECTED = place(1);
const BLOCKS = place(1);
const BLOCK_MINUTES = place(1);
const BLOCK_EVENTS = place(1);
const BLOCK_MAXIMUM = place(1);
const MEAN_BLOCK_MINUTES = place(1);
const MEAN_BLOCK_EVENTS = place(1);
const FLOATS = length;

export type SilenceChange =
  | { kind: 'opens'; expected: number; elapsedMinutes: number; strength: number }
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
  /** False alarms a week. */
  budgetPerWeek: number;
}

/**
 * The silence of a sparse series, by the events that were expected since the last one. For Poisson counts that number is
 * exponentially distributed with mean 1 at each event, whatever their rate does (time rescaling: Brown et al., 2002). Clumps
 * and a rate that wanders make its tail longer: s = Σx²/(2Σx) over all gaps x is the mean of an exponential tail, weighted by
 * length, so 1 for Poisson counts and k for clumps of k. The largest of a block of n such gaps has a Gumbel distribution of
 * scale s at s·ln n; location and scale are fitted to the largest of the last blocks and shrunk to that. The rate is that of the hour of the day, less on
 * weekdays below the mean (not more on others: the hours of a night need not follow their weekday), gamma estimates with
 * the mean as prior, lowered where fewer came lately than expected. Gaps count on weekdays that
 * were seen before. The thresholds follow from the budget; weights and memories are our own.
 */
export class ExpectedSilence {
  readonly #values: Float32Array;

  constructor(saved?: Uint8Array) {
    this.#values = new Float32Array(FLOATS);
    if (saved) new Uint8Array(this.#values.buffer).set(saved.subarray(0, this.#values.byteLength));
    else this.#values[FACTOR] = 1;
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#values.buffer.slice(0));
  }

  count(events: number): void {
    this.#add(MINUTE_COUNT, events);
  }

  /** Late events are not counted, but show that the sender is not silent. */
  countLate(): void {
    this.#values[HAS_LATE] = 1;
  }

  endMinute({ timeMs, isKnown, budgetPerWeek }: EndedMinute): SilenceChange | null {
    const events = this.#take(MINUTE_COUNT);
    const hasEvents = this.#take(HAS_LATE) > 0 || events > 0;
    if (timeMs % HOUR_MS === 0) this.#values[RATE] = this.#rateAt(timeMs);
    const expected = isKnown ? this.#at(RATE) * this.#at(FACTOR) : 0;
    this.#add(ELAPSED, 1);
    this.#add(EXPECTED, expected);
    let change: SilenceChange | null = null;
    if (hasEvents) change = this.#endGap(events);
    else if (isKnown) change = this.#evaluate(budgetPerWeek);
    if (isKnown && this.#at(STATUS) !== OPEN) this.#learn(events, expected);
    if ((timeMs + MINUTE_MS) % HOUR_MS === 0) this.#endHour(timeMs);
    return change;
  }

  /**
   * When the silence is overdue, at the beginning of the minute that runs; null where too little is known, or where nothing
   * more is reported before the next event.
   */
  next(timeMs: number, budgetPerWeek: number): NextSilence | null {
    const status = this.#at(STATUS);
    const threshold = Math.max(MIN_EXPECTED, this.#threshold(budgetPerWeek));
    if (status === ACCEPTED || threshold === Number.POSITIVE_INFINITY) return null;
    const expected = this.#at(EXPECTED);
    const reportedMs = timeMs - (this.#at(ELAPSED) - this.#at(REPORTED)) * MINUTE_MS;
    const dueMs = status === OPEN ? reportedMs : this.#whenExpected(threshold - expected, timeMs);
    return { expected, threshold, dueMs };
  }

  /** When so many more events are expected than at a time, at the rates that are known then; null: too far ahead. */
  #whenExpected(more: number, timeMs: number): number | null {
    let missing = more;
    let beginMs = timeMs;
    for (let hour = 0; hour < FORESEEN_HOURS; hour++) {
      const endMs = (Math.floor(beginMs / HOUR_MS) + 1) * HOUR_MS;
      const rate = (beginMs === timeMs ? this.#rateNow(timeMs) : this.#rateAt(beginMs)) * this.#at(FACTOR);
      const expected = (rate * (endMs - beginMs)) / MINUTE_MS;
      // The silence is overdue with the minute in which more are expected.
      if (expected > missing) return beginMs + (Math.floor(Math.max(0, missing) / rate) + 1) * MINUTE_MS;
      missing -= expected;
      beginMs = endMs;
    }
    return null;
  }

  /** The rate of an hour is set as it begins. */
  #rateNow(timeMs: number): number {
    return timeMs % HOUR_MS === 0 ? this.#rateAt(timeMs) : this.#at(RATE);
  }

  /** Nothing is known of the time until then. */
  skip(minutes: number): void {
    this.#add(ELAPSED, minutes);
    for (const each of [HOUR_COUNT, HOUR_KNOWN, DAY_COUNT, DAY_KNOWN, RATE]) this.#values[each] = 0;
  }

  /** A silence that was reported counts as long as it took to be: an outage is no gap, but a gap that is usual may be one. */
  #endGap(events: number): SilenceChange | null {
    const whole = this.#take(EXPECTED);
    const status = this.#take(STATUS);
    const gap = status === IDLE ? whole : this.#at(REPORTED_EXPECTED);
    this.#values[ELAPSED] = 0;
    this.#values[BLOCK_MAXIMUM] = Math.max(this.#at(BLOCK_MAXIMUM), gap);
    const fading = Math.exp(-gap / SCALE_EVENTS);
    this.#values[GAPS] = this.#at(GAPS) * fading + gap;
    this.#values[SQUARES] = this.#at(SQUARES) * fading + gap ** 2;
    const decay = Math.exp(-gap / RECENT_EVENTS);
    this.#values[SEEN] = this.#at(SEEN) * decay + events;
    this.#values[PREDICTED] = this.#at(PREDICTED) * decay + gap;
    const ratio = (this.#at(SEEN) + RECENT_PRIOR_EVENTS) / (this.#at(PREDICTED) + RECENT_PRIOR_EVENTS);
    this.#values[FACTOR] = Math.min(1, ratio);
    return status === OPEN ? { kind: 'closes' } : null;
  }

  #evaluate(budgetPerWeek: number): SilenceChange | null {
    const status = this.#at(STATUS);
    if (status === OPEN && this.#at(ELAPSED) - this.#at(REPORTED) >= REPORTED_MINUTES) {
      this.#values[STATUS] = ACCEPTED;
      return { kind: 'closes' };
    }
    const expected = this.#at(EXPECTED);
    if (status !== IDLE || expected < MIN_EXPECTED) return null;
    const threshold = this.#threshold(budgetPerWeek);
    if (expected <= threshold) return null;
    this.#values[STATUS] = OPEN;
    this.#values[REPORTED] = this.#at(ELAPSED);
    this.#values[REPORTED_EXPECTED] = expected;
    return { kind: 'opens', expected, elapsedMinutes: this.#at(ELAPSED), strength: expected / threshold };
  }

  #learn(events: number, expected: number): void {
    this.#add(HOUR_COUNT, events);
    this.#add(HOUR_KNOWN, 1);
    this.#add(DAY_COUNT, events);
    this.#add(DAY_KNOWN, 1);
    this.#add(BLOCK_MINUTES, 1);
    this.#add(BLOCK_EVENTS, expected);
    const [minutes, blockEvents] = [this.#at(BLOCK_MINUTES), this.#at(BLOCK_EVENTS)];
    if (minutes < MINUTES_PER_DAY || blockEvents < MIN_BLOCK_EVENTS) return;
    const maximum = Math.max(this.#at(BLOCK_MAXIMUM), this.#at(EXPECTED));
    const blocks = this.#at(BLOCKS);
    this.#values[MAXIMA + (blocks % KEPT_MAXIMA)] = maximum;
    const part = 1 / Math.min(blocks + 1, KEPT_MAXIMA);
    this.#add(MEAN_BLOCK_MINUTES, (minutes - this.#at(MEAN_BLOCK_MINUTES)) * part);
    this.#add(MEAN_BLOCK_EVENTS, (blockEvents - this.#at(MEAN_BLOCK_EVENTS)) * part);
    this.#values[BLOCKS] = blocks + 1;
    for (const each of [BLOCK_MINUTES, BLOCK_EVENTS, BLOCK_MAXIMUM]) this.#values[each] = 0;
  }

  /** Expected events since the last one that are exceeded as often as the budget allows. */
  #threshold(budgetPerWeek: number): number {
    const kept = Math.min(this.#at(BLOCKS), KEPT_MAXIMA);
    if (kept < MIN_BLOCKS) return Number.POSITIVE_INFINITY;
    const maxima = this.#values.subarray(MAXIMA, MAXIMA + kept);
    const codes = Uint8Array.from(maxima, (maximum) => EVIDENCE.encode(maximum));
    const own = fitGumbel(codes, { quantile: QUANTILE, power: 1 }, new Uint8Array(kept));
    const ofGaps = Math.max(
      1,
      (this.#at(SQUARES) / 2 + SCALE_PRIOR_EVENTS) / (this.#at(GAPS) + SCALE_PRIOR_EVENTS),
    );
    const prior = PRIOR_SCALE_FACTOR * ofGaps;
    const scale = (kept * Math.max(ofGaps, own.scale) + PRIOR_BLOCKS * prior) / (kept + PRIOR_BLOCKS);
    const gapsOfBlock = Math.max(1, this.#at(MEAN_BLOCK_EVENTS) / ofGaps);
    const location = Math.max(ofGaps * Math.log(gapsOfBlock), own.location);
    const chance = Math.min(0.5, (budgetPerWeek * this.#at(MEAN_BLOCK_MINUTES)) / MINUTES_PER_WEEK);
    const largest = maxima.reduce((most, maximum) => Math.max(most, maximum), 0);
    const variate = paretoQuantile({ quantile: QUANTILE, tailIndex: TAIL_INDEX }, -Math.log(chance));
    return Math.max(location + scale * variate, MAX_SEEN_FACTOR * largest);
  }

  /**
   * Events a minute at an hour; 0 on a weekday that was never seen. The lowest of the hour and its neighbours: a working day
   * may begin or end an hour earlier or later, as it does when the clocks change.
   */
  #rateAt(timeMs: number): number {
    const weekday = WEEKDAY_SUMS + weekdayOf(timeMs);
    const hours = this.#values.subarray(HOUR_TIMES, HOUR_TIMES + HOURS);
    const mean =
      this.#values.subarray(HOUR_SUMS, HOUR_SUMS + HOURS).reduce((sum, count) => sum + count, 0) /
      hours.reduce((sum, time) => sum + time, 0);
    if (!(mean > 0) || this.#at(weekday + WEEKDAYS) === 0) return 0;
    const rateOf = (sums: number, times: number) =>
      (this.#at(sums) + PRIOR_EVENTS) / (this.#at(times) + PRIOR_EVENTS / mean);
    const rateOfHour = (offsetMs: number) => {
      const hour = HOUR_SUMS + hourOf(timeMs + offsetMs);
      return rateOf(hour, hour + HOURS);
    };
    const lowest = Math.min(rateOfHour(-HOUR_MS), rateOfHour(0), rateOfHour(HOUR_MS));
    return (lowest * Math.min(1, rateOf(weekday, weekday + WEEKDAYS) / mean)) / 60;
  }

  #endHour(timeMs: number): void {
    this.#fold(HOUR_SUMS + hourOf(timeMs), HOURS, MEMORY_DAYS, [HOUR_COUNT, HOUR_KNOWN]);
    if ((timeMs + MINUTE_MS) % DAY_MS === 0)
      this.#fold(WEEKDAY_SUMS + weekdayOf(timeMs), WEEKDAYS, MEMORY_WEEKS, [DAY_COUNT, DAY_KNOWN]);
  }

  /** Takes the counts of a period that has ended into its discounted sums, of events and of hours. */
  #fold(sums: number, length: number, memory: number, [count, known]: [number, number]): void {
    const [all, hours] = [this.#take(count), this.#take(known) / 60];
    if (hours === 0) return;
    const usual = (hours * this.#at(sums)) / this.#at(sums + length);
    const events = Number.isNaN(usual) ? all : Math.min(all, 2 * usual + MAX_BURST_EVENTS);
    this.#values[sums] = this.#at(sums) * (1 - 1 / memory) + events;
    this.#values[sums + length] = this.#at(sums + length) * (1 - 1 / memory) + hours;
  }

  #at(index: number): number {
    return this.#values[index] as number; // the constants above lie within
  }

  #add(index: number, more: number): void {
    this.#values[index] = this.#at(index) + more;
  }

  #take(index: number): number {
    const value = this.#at(index);
    this.#values[index] = 0;
    return value;
  }
}

function hourOf(timeMs: number): number {
  return modulo(Math.floor(timeMs / HOUR_MS), HOURS);
}

/** Any numbering will do. */
function weekdayOf(timeMs: number): number {
  return modulo(Math.floor(timeMs / DAY_MS), WEEKDAYS);
}
