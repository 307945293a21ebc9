import { DAY_MS, HOUR_MS, MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import { HOURS, type SilenceState, WEEKDAYS } from './silence-state.ts';

/** Memory of the rate of an hour of the day, and of a weekday, in weeks. */
const MEMORY_WEEKS = 4;
/** Weight of the mean rate, in events of an hour or of a weekday. */
const PRIOR_EVENTS = 2;
/** A period counts for at most twice the usual events and so many more: after a burst a usual gap is not long. */
const MAX_BURST_EVENTS = 10;
/** The rate since the last events, against the profile: its memory, and the weight of a ratio of 1, in expected events. */
const RECENT_EVENTS = 20;
const RECENT_PRIOR_EVENTS = 5;
/** Share of the mean rate below which a weekday does not follow the hours of the others: a weekend of an office has none. */
const OTHER_WEEKDAY_SHARE = 0.5;
/** Hours ahead for which the rates are known: a silence that is due later has no time. */
const FORESEEN_HOURS = MEMORY_WEEKS * WEEKDAYS * HOURS;

/**
 * Returns the events a minute at an hour; 0 on a weekday that was never seen. It is the lowest of the hour and its neighbours:
 * a working day may begin or end an hour earlier or later, as it does when the clocks change.
 */
export function rateAt(state: SilenceState, timeMs: number): number {
  const mean = 60 * meanRate(state);
  const weekday = weekdayOf(timeMs);
  if (!(mean > 0) || state.times(weekday) === 0) return 0;
  const rateOf = (period: number) =>
    (state.sums(period) + PRIOR_EVENTS) / (state.times(period) + PRIOR_EVENTS / mean);
  const rateOfHour = (offsetMs: number) => rateOf(hourOf(timeMs + offsetMs));
  const lowest = Math.min(rateOfHour(-HOUR_MS), rateOfHour(0), rateOfHour(HOUR_MS));
  const ofWeekday = rateOf(weekday);
  const rate = lowest * Math.min(1, ofWeekday / mean);
  return (ofWeekday < OTHER_WEEKDAY_SHARE * mean ? Math.min(rate, ofWeekday) : rate) / 60;
}

/** Returns the events a minute at any time: the known hours of the day count alike. */
export function meanRate(state: SilenceState): number {
  let [events, hours] = [0, 0];
  for (let hour = 0; hour < HOURS; hour++) {
    events += state.sums(hour);
    hours += state.times(hour);
  }
  return events / hours / 60;
}

/** Returns when so many more events are expected than at a time, at the rates that are known then; null: too far ahead. */
export function whenExpected(state: SilenceState, more: number, timeMs: number): number | null {
  let missing = more;
  let beginMs = timeMs;
  for (let hour = 0; hour < FORESEEN_HOURS; hour++) {
    const endMs = (Math.floor(beginMs / HOUR_MS) + 1) * HOUR_MS;
    const rate = (beginMs === timeMs ? rateNow(state, timeMs) : rateAt(state, beginMs)) * state.factor;
    const expected = (rate * (endMs - beginMs)) / MINUTE_MS;
    // The silence is overdue with the minute in which more are expected.
    if (expected > missing) return beginMs + (Math.floor(Math.max(0, missing) / rate) + 1) * MINUTE_MS;
    missing -= expected;
    beginMs = endMs;
  }
  return null;
}

/** Returns the rate of the running hour, which is set as it begins. */
function rateNow(state: SilenceState, timeMs: number): number {
  return timeMs % HOUR_MS === 0 ? rateAt(state, timeMs) : state.rate;
}

/**
 * Compares events with those that the profile expected since the last ones: fewer lower the rate, more do not raise it.
 * @param expected expected events by the profile and the present factor
 */
export function learnRecentRate(state: SilenceState, events: number, expected: number): void {
  const ofProfile = expected / state.factor;
  const decay = Math.exp(-ofProfile / RECENT_EVENTS);
  state.seen = state.seen * decay + events;
  state.predicted = state.predicted * decay + ofProfile;
  state.factor = Math.min(1, (state.seen + RECENT_PRIOR_EVENTS) / (state.predicted + RECENT_PRIOR_EVENTS));
}

/** Learns the hour whose last minute began then, and at its end the day. */
export function endHour(state: SilenceState, timeMs: number): void {
  fold(state, hourOf(timeMs), MEMORY_WEEKS * WEEKDAYS, { count: state.hourCount, minutes: state.hourKnown });
  state.hourCount = 0;
  state.hourKnown = 0;
  if ((timeMs + MINUTE_MS) % DAY_MS !== 0) return;
  fold(state, weekdayOf(timeMs), MEMORY_WEEKS, { count: state.dayCount, minutes: state.dayKnown });
  state.dayCount = 0;
  state.dayKnown = 0;
}

/** Takes the counts of a period that has ended into its discounted sums, of events and of hours. */
function fold(
  state: SilenceState,
  period: number,
  memory: number,
  { count, minutes }: { count: number; minutes: number },
): void {
  if (minutes === 0) return;
  const [sum, time, hours] = [state.sums(period), state.times(period), minutes / 60];
  const usual = (hours * sum) / time;
  const events = Number.isNaN(usual) ? count : Math.min(count, 2 * usual + MAX_BURST_EVENTS);
  state.setSums(period, sum * (1 - 1 / memory) + events);
  state.setTimes(period, time * (1 - 1 / memory) + hours);
}

/**
 * Takes back the empty minutes that were learned from the silence until the minute that began then. Where some of its minutes are
 * unknown, so are the hours that learned the others: then they stay.
 */
export function unlearnSilence(state: SilenceState, timeMs: number): void {
  if (state.elapsedUnknown > 0) return;
  const beginMs = timeMs - (state.elapsed - 1) * MINUTE_MS;
  /** Returns the minutes of the running period that are to be taken back. */
  const unlearn = (periodMs: number, periodOf: (beginMs: number) => number) => {
    const runningMs = Math.floor(timeMs / periodMs) * periodMs;
    for (let fromMs = beginMs; fromMs < runningMs; ) {
      const untilMs = Math.floor(fromMs / periodMs + 1) * periodMs;
      const period = periodOf(fromMs);
      state.setTimes(period, Math.max(0, state.times(period) - (untilMs - fromMs) / HOUR_MS));
      fromMs = untilMs;
    }
    return (timeMs - Math.max(beginMs, runningMs)) / MINUTE_MS;
  };
  state.hourKnown = Math.max(0, state.hourKnown - unlearn(HOUR_MS, hourOf));
  state.dayKnown = Math.max(0, state.dayKnown - unlearn(DAY_MS, weekdayOf));
}

function hourOf(timeMs: number): number {
  return modulo(Math.floor(timeMs / HOUR_MS), HOURS);
}

/** Returns the index of a weekday, behind those of the hours, in any numbering. */
function weekdayOf(timeMs: number): number {
  return HOURS + modulo(Math.floor(timeMs / DAY_MS), WEEKDAYS);
}
