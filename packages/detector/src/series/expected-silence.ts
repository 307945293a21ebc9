import { HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import { RecordBuffer } from '../state/record-buffer.ts';
import type { RecordPlace } from '../state/record-view.ts';
import { IDLE, OPEN, OUTAGE_MINUTES } from './alarm-state.ts';
import { isSeasonal } from './seasonality.ts';
import { endHour, learnRecentRate, meanRate, rateAt, unlearnSilence, whenExpected } from './silence-rate.ts';
import { SilenceState } from './silence-state.ts';
import {
  addToBlock,
  isUsualSilence,
  learnGaps,
  recordReported,
  type SilenceBudget,
  silenceThreshold,
} from './silence-threshold.ts';

/** Age at which the rates learn from a silence. Like an outage, it becomes the new normal after a day. */
const UNLEARNED_MINUTES = 2 * OUTAGE_MINUTES;
/** Minimum expected events of a silence: most minutes end here, before anything is sorted. */
const MIN_EXPECTED = 5;

/** The silence was reported, and is over or accepted: nothing more is reported before the next event. */
const ACCEPTED = 2;

export type SilenceChange =
  /** `season` if events are expected at this time of the day; missing if they are at any time. */
  | { kind: 'opens'; expected: number; elapsedMinutes: number; strength: number; season?: 'day' }
  | { kind: 'closes' };

/** The silence that began with the last event, and when it is overdue. */
export interface NextSilence {
  /** Expected events since the last one. */
  expected: number;
  /** Expected events beyond which it is overdue. */
  threshold: number;
  /** Time since which it is overdue, or, if nothing comes, from which it will be; null: not within four weeks. */
  dueMs: number | null;
}

/** A minute that has ended. */
export interface EndedMinute {
  timeMs: number;
  isKnown: boolean;
  /** True if nothing is learned from it: it is not known, and an event only shows that the sender is not silent. */
  isUnlearned?: boolean;
  /** Budget of the silence: few are long enough to need it. */
  budget: () => SilenceBudget;
}

/**
 * The silence of a series of up to several events a minute, by the expected events since the last one: a window without an
 * upper length. For Poisson counts that number is exponentially distributed with mean 1 at each event, whatever their rate
 * does (time rescaling: Brown et al., 2002). Clumps and a rate that wanders make its tail longer: s = Σx²/(2Σx) over all gaps
 * x is the mean of an exponential tail, weighted by length, so 1 for Poisson counts and k for clumps of k. The largest of a
 * block of n such gaps has a Gumbel distribution of scale s at s·ln n; location and scale are fitted to the largest of the last
 * blocks and shrunk to that. The rate is that of the hour of the day, less on weekdays below the mean (not more on others: the
 * hours of a night need not follow their weekday), gamma estimates with the mean as prior, lowered where fewer came lately
 * than expected. Gaps count on weekdays that were seen before. The thresholds follow from the budget; weights and memories
 * are our own.
 */
export class ExpectedSilence extends SilenceState {
  /** @param place record that holds it already, or that `begin` is called on; missing: a new one */
  constructor(place?: RecordPlace) {
    super(place?.buffer ?? new RecordBuffer(SilenceState.floats), place?.first);
    if (!place) this.begin();
  }

  /** Makes a record of zeros that of a new series. */
  begin(): void {
    this.factor = 1;
  }

  count(events: number): void {
    this.minuteCount += events;
  }

  /** Records a late event, which is not counted, but shows that the sender is not silent. */
  countLate(): void {
    this.hasLate = true;
  }

  endMinute({ timeMs, isKnown, isUnlearned, budget }: EndedMinute): SilenceChange | null {
    const events = this.minuteCount;
    const hasEvents = this.hasLate || events > 0;
    this.minuteCount = 0;
    this.hasLate = false;
    if (timeMs % HOUR_MS === 0) this.rate = rateAt(this, timeMs);
    const expected = isKnown ? this.rate * this.factor : 0;
    this.elapsed += 1;
    if (!isKnown) this.elapsedUnknown += 1;
    this.expected += expected;
    let change: SilenceChange | null = null;
    if (hasEvents) change = isUnlearned ? this.#startOver() : this.#endGap(events, expected);
    else if (isKnown) change = this.#evaluate(timeMs, budget);
    if (isKnown) this.#learn(events, expected);
    if ((timeMs + MINUTE_MS) % HOUR_MS === 0) endHour(this, timeMs);
    return change;
  }

  /**
   * Returns how many minutes after the one that began at a time, if they are known and hold no event, only add to the expected
   * events. They are of the same hour, which they do not end, and leave the silence too short to be evaluated.
   */
  uneventfulMinutes(timeMs: number): number {
    const { status } = this;
    if (status === OPEN) return 0;
    const leftOfHour = (HOUR_MS - modulo(timeMs, HOUR_MS)) / MINUTE_MS - 2;
    const rate = this.rate * this.factor;
    // One minute less, for the rounding of sums that are 32-bit floats.
    const left = (MIN_EXPECTED - this.expected) / rate - 1;
    const minutes = status === IDLE && rate > 0 ? Math.min(leftOfHour, left) : leftOfHour;
    return minutes > 0 ? Math.floor(minutes) : 0;
  }

  /** Takes in minutes that are uneventful by `uneventfulMinutes`, as `endMinute` does. */
  takeUneventfulMinutes(minutes: number): void {
    if (minutes === 0) return;
    const expected = this.rate * this.factor;
    for (let minute = 0; minute < minutes; minute++) {
      this.elapsed += 1;
      this.expected += expected;
      this.#learn(0, expected);
    }
  }

  /**
   * Returns when the silence is overdue, at the beginning of the running minute; null where too little is known, or nothing more
   * is reported before the next event.
   */
  next(timeMs: number, budget: SilenceBudget): NextSilence | null {
    const { status } = this;
    const threshold = Math.max(MIN_EXPECTED, silenceThreshold(this, budget));
    if (status === ACCEPTED || threshold === Number.POSITIVE_INFINITY) return null;
    const { expected } = this;
    const reportedMs = timeMs - (this.elapsed - this.reported) * MINUTE_MS;
    const dueMs = status === OPEN ? reportedMs : whenExpected(this, threshold - expected, timeMs);
    return { expected, threshold, dueMs };
  }

  /** Skips unknown minutes. */
  skip(minutes: number): void {
    this.elapsed += minutes;
    this.elapsedUnknown += minutes;
    for (const each of ['hourCount', 'hourKnown', 'dayCount', 'dayKnown', 'rate'] as const) this[each] = 0;
  }

  /**
   * Ends the gap before events. A silence that was reported is no gap until it is usual, and then one as long as it was when it
   * was reported; but it shows that fewer events came lately.
   * @param expected expected events of the minute, at random moments of it
   */
  #endGap(events: number, expected: number): SilenceChange | null {
    const short = expected / (events + 1);
    const whole = this.expected - expected + short;
    const { status } = this;
    const gap = status === IDLE ? whole : this.reportedExpected;
    const others = Math.max(0, events - 1);
    this.#restart();
    // Late events alone end a gap at the end of the minute.
    this.expected = events > 0 ? short : 0;
    const isGap = status === IDLE || isUsualSilence(this);
    learnGaps(this, isGap ? gap : 0, { number: others, expected: short });
    learnRecentRate(this, events, gap + others * short);
    if (status !== IDLE) recordReported(this);
    return status === OPEN ? { kind: 'closes' } : null;
  }

  /** Starts over without learning a gap, whose end is not known. */
  #startOver(): SilenceChange | null {
    const wasOpen = this.status === OPEN;
    this.#restart();
    return wasOpen ? { kind: 'closes' } : null;
  }

  #restart(): void {
    this.elapsed = 0;
    this.elapsedUnknown = 0;
    this.expected = 0;
    this.status = 0;
  }

  #evaluate(timeMs: number, budget: () => SilenceBudget): SilenceChange | null {
    const { status } = this;
    if (status === OPEN && this.#reportedMinutes() >= OUTAGE_MINUTES) {
      this.status = ACCEPTED;
      return { kind: 'closes' };
    }
    const { expected } = this;
    if (status !== IDLE || expected < MIN_EXPECTED) return null;
    const threshold = silenceThreshold(this, budget());
    if (expected <= threshold) return null;
    this.status = OPEN;
    this.reported = this.elapsed;
    if (!isUsualSilence(this)) unlearnSilence(this, timeMs);
    this.reportedExpected = expected;
    const elapsedMinutes = this.elapsed;
    const season = isSeasonal(expected / elapsedMinutes, meanRate(this)) && { season: 'day' as const };
    return { kind: 'opens', expected, elapsedMinutes, strength: expected / threshold, ...season };
  }

  /** Returns the minutes since the silence was reported. */
  #reportedMinutes(): number {
    return this.elapsed - this.reported;
  }

  #learn(events: number, expected: number): void {
    if (this.status !== IDLE && this.#reportedMinutes() < UNLEARNED_MINUTES) return;
    this.hourCount += events;
    this.hourKnown += 1;
    this.dayCount += events;
    this.dayKnown += 1;
    addToBlock(this, expected, this.status === IDLE ? this.expected : 0);
  }
}
