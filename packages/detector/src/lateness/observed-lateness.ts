import { MINUTE_MS } from '../state/durations.ts';
import type { LateEvents } from './late-reports.ts';
import { LATE_MS, Lateness, type SavedLateness } from './lateness.ts';

/** Weight of a minute, and minimum events and time for a conclusion; a steady source has a smaller interquartile range. */
const MINUTE_WEIGHT = 1_000;
const MIN_EVENTS = 100;
const MIN_SPAN_MS = 30 * MINUTE_MS;
const STEADY_RANGE_MS = 2 * MINUTE_MS;

/** Events of one source in a round, by their receipt; plain JSON. */
export interface SourceArrivals {
  source: string | null;
  /** Lateness of all of its events, late or not. */
  lateness: SavedLateness;
  events: number;
  firstMs: number;
  lastMs: number;
  /** Events that are not evaluated, and the number of those of severity error or worse. */
  late: (LateEvents & { errors: number }) | null;
}

/** Evaluated events of the project, and those of severity error or worse. */
export interface Evaluated {
  evaluated: number;
  evaluatedErrors: number;
}

/** Observations of a source since `firstMs`, until they suffice for a conclusion; plain JSON. */
export interface Observed extends Evaluated {
  /** Lateness in which each minute with events has the same weight: a burst says little about the usual. */
  lateness: SavedLateness;
  /** Lateness in the running minute, in events. */
  minute: SavedLateness;
  minuteMs: number;
  events: number;
  firstMs: number;
  lastMs: number;
  late: number;
  lateErrors: number;
}

/** Conclusion about a source that was observed for long enough. */
export interface Conclusion {
  /** True if any of its events were late. */
  isLate: boolean;
  /** Usual lateness; null: it is not steady. */
  usualMs: number | null;
  /** Events a minute of the project, with the late ones of the source. */
  perMinute: number;
  errorsPerMinute: number;
}

/** @param before counts of the project until then */
export function beginObservation(firstMs: number, before: Evaluated): Observed {
  const nothing = { lateness: [], minute: [], minuteMs: 0, events: 0, late: 0, lateErrors: 0 };
  return { ...nothing, firstMs, lastMs: firstMs, ...before };
}

export function observe(
  observed: Observed,
  { lateness, events, firstMs, lastMs, late }: SourceArrivals,
): void {
  const minuteMs = Math.floor(firstMs / MINUTE_MS) * MINUTE_MS;
  if (minuteMs !== observed.minuteMs) endMinute(observed, minuteMs);
  const minute = new Lateness(observed.minute);
  minute.merge(lateness);
  observed.minute = minute.save();
  observed.events += events;
  observed.lastMs = Math.max(observed.lastMs, lastMs);
  observed.late += late?.events ?? 0;
  observed.lateErrors += late?.errors ?? 0;
}

/** Returns null where a source was not observed for long enough. @param now counts of the project */
export function conclude(observed: Observed, now: Evaluated): Conclusion | null {
  const spanMs = observed.lastMs - observed.firstMs;
  if (observed.events < MIN_EVENTS || spanMs < MIN_SPAN_MS) return null;
  endMinute(observed, 0);
  const lateness = new Lateness(observed.lateness);
  const { low, median, high } = lateness.quartiles();
  const isLate = lateness.mostMs > LATE_MS;
  const isSteady = isLate && median > LATE_MS / 2 && high - low < STEADY_RANGE_MS;
  const minutes = spanMs / MINUTE_MS;
  return {
    isLate,
    usualMs: isSteady ? median : null,
    perMinute: (now.evaluated - observed.evaluated + observed.late) / minutes,
    errorsPerMinute: (now.evaluatedErrors - observed.evaluatedErrors + observed.lateErrors) / minutes,
  };
}

function endMinute(observed: Observed, nextMs: number): void {
  const events = observed.minute.reduce((sum, [, more]) => sum + more, 0);
  const lateness = new Lateness(observed.lateness);
  const weigh = (more: number) => Math.ceil((MINUTE_WEIGHT * more) / events);
  lateness.merge(observed.minute.map(([bin, more]): [number, number] => [bin, weigh(more)]));
  observed.lateness = lateness.save();
  observed.minute = [];
  observed.minuteMs = nextMs;
}
