import { DAY_MS, HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import {
  DAY_COUNT,
  DAY_KNOWN,
  ELAPSED,
  ELAPSED_UNKNOWN,
  FACTOR,
  HOUR_COUNT,
  HOUR_KNOWN,
  HOUR_SUMS,
  HOUR_TIMES,
  HOURS,
  PREDICTED,
  RATE,
  SEEN,
  type SilenceState,
  WEEKDAY_SUMS,
  WEEKDAYS,
} from './silence-state.ts';

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
/** A weekday with less than so much of the mean rate has not the hours of the others: a weekend of an office has none. */
const OTHER_WEEKDAY_SHARE = 0.5;
/** A silence that is due later has no time: the rates are not known for longer. */
const FORESEEN_HOURS = MEMORY_WEEKS * WEEKDAYS * HOURS;

/**
 * Events a minute at an hour; 0 on a weekday that was never seen. The lowest of the hour and its neighbours: a working day
 * may begin or end an hour earlier or later, as it does when the clocks change.
 */
export function rateAt(state: SilenceState, timeMs: number): number {
  const weekday = WEEKDAY_SUMS + weekdayOf(timeMs);
  const mean = 60 * meanRate(state);
  if (!(mean > 0) || state.at(weekday + WEEKDAYS) === 0) return 0;
  const rateOf = (sums: number, times: number) =>
    (state.at(sums) + PRIOR_EVENTS) / (state.at(times) + PRIOR_EVENTS / mean);
  const rateOfHour = (offsetMs: number) => {
    const hour = HOUR_SUMS + hourOf(timeMs + offsetMs);
    return rateOf(hour, hour + HOURS);
  };
  const lowest = Math.min(rateOfHour(-HOUR_MS), rateOfHour(0), rateOfHour(HOUR_MS));
  const ofWeekday = rateOf(weekday, weekday + WEEKDAYS);
  const rate = lowest * Math.min(1, ofWeekday / mean);
  return (ofWeekday < OTHER_WEEKDAY_SHARE * mean ? Math.min(rate, ofWeekday) : rate) / 60;
}

/** Events a minute, at any time: the hours of the day that are known count alike. */
export function meanRate(state: SilenceState): number {
  return sumOf(state, HOUR_SUMS, HOURS) / sumOf(state, HOUR_TIMES, HOURS) / 60;
}

function sumOf(state: SilenceState, offset: number, count: number): number {
  let sum = 0;
  for (let at = offset; at < offset + count; at++) sum += state.at(at);
  return sum;
}

/** When so many more events are expected than at a time, at the rates that are known then; null: too far ahead. */
export function whenExpected(state: SilenceState, more: number, timeMs: number): number | null {
  let missing = more;
  let beginMs = timeMs;
  for (let hour = 0; hour < FORESEEN_HOURS; hour++) {
    const endMs = (Math.floor(beginMs / HOUR_MS) + 1) * HOUR_MS;
    const rate = (beginMs === timeMs ? rateNow(state, timeMs) : rateAt(state, beginMs)) * state.at(FACTOR);
    const expected = (rate * (endMs - beginMs)) / MINUTE_MS;
    // The silence is overdue with the minute in which more are expected.
    if (expected > missing) return beginMs + (Math.floor(Math.max(0, missing) / rate) + 1) * MINUTE_MS;
    missing -= expected;
    beginMs = endMs;
  }
  return null;
}

/** The rate of an hour is set as it begins. */
function rateNow(state: SilenceState, timeMs: number): number {
  return timeMs % HOUR_MS === 0 ? rateAt(state, timeMs) : state.at(RATE);
}

/**
 * Compares events with those that the profile expected since the last ones: fewer lower the rate, more do not raise it.
 * @param expected by the profile and the factor until now
 */
export function learnRecentRate(state: SilenceState, events: number, expected: number): void {
  const ofProfile = expected / state.at(FACTOR);
  const decay = Math.exp(-ofProfile / RECENT_EVENTS);
  state.set(SEEN, state.at(SEEN) * decay + events);
  state.set(PREDICTED, state.at(PREDICTED) * decay + ofProfile);
  const ratio = (state.at(SEEN) + RECENT_PRIOR_EVENTS) / (state.at(PREDICTED) + RECENT_PRIOR_EVENTS);
  state.set(FACTOR, Math.min(1, ratio));
}

/** Learns the hour whose last minute began then, and at its end the day. */
export function endHour(state: SilenceState, timeMs: number): void {
  const hour = { sums: HOUR_SUMS + hourOf(timeMs), length: HOURS, memory: MEMORY_DAYS };
  fold(state, hour, [HOUR_COUNT, HOUR_KNOWN]);
  if ((timeMs + MINUTE_MS) % DAY_MS !== 0) return;
  const weekday = { sums: WEEKDAY_SUMS + weekdayOf(timeMs), length: WEEKDAYS, memory: MEMORY_WEEKS };
  fold(state, weekday, [DAY_COUNT, DAY_KNOWN]);
}

/** Takes the counts of a period that has ended into its discounted sums, of events and of hours. */
function fold(
  state: SilenceState,
  { sums, length, memory }: { sums: number; length: number; memory: number },
  [count, known]: [number, number],
): void {
  const [all, hours] = [state.take(count), state.take(known) / 60];
  if (hours === 0) return;
  const usual = (hours * state.at(sums)) / state.at(sums + length);
  const events = Number.isNaN(usual) ? all : Math.min(all, 2 * usual + MAX_BURST_EVENTS);
  state.set(sums, state.at(sums) * (1 - 1 / memory) + events);
  state.set(sums + length, state.at(sums + length) * (1 - 1 / memory) + hours);
}

/**
 * Takes back the minutes without an event that the silence has taught until the minute that began then. Where some of them
 * are not known, which hours learned them is not either: then they stay.
 */
export function unlearnSilence(state: SilenceState, timeMs: number): void {
  if (state.at(ELAPSED_UNKNOWN) > 0) return;
  const beginMs = timeMs - (state.at(ELAPSED) - 1) * MINUTE_MS;
  const unlearn = (periodMs: number, timesOf: (beginMs: number) => number, known: number) => {
    const runningMs = Math.floor(timeMs / periodMs) * periodMs;
    for (let fromMs = beginMs; fromMs < runningMs; ) {
      const untilMs = Math.floor(fromMs / periodMs + 1) * periodMs;
      const times = timesOf(fromMs);
      state.set(times, Math.max(0, state.at(times) - (untilMs - fromMs) / HOUR_MS));
      fromMs = untilMs;
    }
    state.set(known, Math.max(0, state.at(known) - (timeMs - Math.max(beginMs, runningMs)) / MINUTE_MS));
  };
  unlearn(HOUR_MS, (atMs) => HOUR_TIMES + hourOf(atMs), HOUR_KNOWN);
  unlearn(DAY_MS, (atMs) => WEEKDAY_SUMS + WEEKDAYS + weekdayOf(atMs), DAY_KNOWN);
}

function hourOf(timeMs: number): number {
  return modulo(Math.floor(timeMs / HOUR_MS), HOURS);
}

/** Any numbering will do. */
function weekdayOf(timeMs: number): number {
  return modulo(Math.floor(timeMs / DAY_MS), WEEKDAYS);
}
