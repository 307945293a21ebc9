import { MINUTE_MS } from '../state/durations.ts';
import type { LateEvents } from './late-reports.ts';
import { LATE_MS, Lateness, type SavedLateness } from './lateness.ts';

/** So much shows how late a source delivers, and that it does so steadily: the interquartile range is below the last. */
const MINUTE_WEIGHT = 1_000;
const MIN_EVENTS = 100;
const MIN_SPAN_MS = 30 * MINUTE_MS;
const STEADY_RANGE_MS = 2 * MINUTE_MS;

/** What came of one source in a round; times are those of receipt. Plain JSON. */
export interface SourceArrivals {
  source: string | null;
  /** Of all of its events, late or not. */
  lateness: SavedLateness;
  events: number;
  firstMs: number;
  lastMs: number;
  /** Those that are not evaluated, and how many of them are errors or worse. */
  late: (LateEvents & { errors: number }) | null;
}

/** Events of the project that were evaluated, and how many of them are errors or worse. */
export interface Evaluated {
  evaluated: number;
  evaluatedErrors: number;
}

/** What is seen of a source since `firstMs`, until it is enough to say whether it is steady; plain JSON. */
export interface Observed extends Evaluated {
  /** Each minute with events weighs the same: what comes all at once says little about what is usual. */
  lateness: SavedLateness;
  /** Of the minute that runs, in events. */
  minute: SavedLateness;
  minuteMs: number;
  events: number;
  firstMs: number;
  lastMs: number;
  late: number;
  lateErrors: number;
}

/** What was seen of a source for long enough. */
export interface Conclusion {
  /** True if any of its events were late. */
  isLate: boolean;
  /** How late it usually delivers; null: it does not do so steadily. */
  usualMs: number | null;
  /** Events a minute of the project, with the late ones of the source. */
  perMinute: number;
  errorsPerMinute: number;
}

/** @param before of the project, until then */
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

/** What is usual of the source; null: too little was seen of it. @param now of the project */
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
