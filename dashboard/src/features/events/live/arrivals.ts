import { byNewest, type ListedEvent } from '../listed-event.ts';

/** What came in after the list was read. */
export interface Arrivals {
  /** On top of the list, newest first. */
  shown: ListedEvent[];
  /** Not in the list yet, newest first. */
  waiting: ListedEvent[];
  /** How many the live tail left out, or were dropped here since there were too many. */
  omitted: number;
}

export const NO_ARRIVALS: Arrivals = { shown: [], waiting: [], omitted: 0 };

/** Bounds the memory of a page that is left open. */
export const MAX_ARRIVALS = 1_000;
/** So far down a list is looked for what comes in twice: a look goes back but a few seconds. */
const KNOWN_ROWS = 500;
/** Events may be stored a little after ones that were captured later. */
const LOOK_BACK_MS = 5_000;

/** Takes in what arrived, each event once. */
export function admit(
  arrivals: Arrivals,
  events: ListedEvent[],
  { known, hold, omitted }: { known: ListedEvent[]; hold: boolean; omitted: number },
): Arrivals {
  const seen = new Set<string>();
  for (const rows of [arrivals.shown, arrivals.waiting, known.slice(0, KNOWN_ROWS)])
    for (const { id } of rows) seen.add(id);
  const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id));
  if (fresh.length === 0 && omitted === 0) return arrivals;
  const into = hold ? arrivals.waiting : arrivals.shown;
  const { kept, dropped } = bound([...fresh, ...into]);
  return {
    ...arrivals,
    [hold ? 'waiting' : 'shown']: kept,
    omitted: arrivals.omitted + omitted + dropped,
  };
}

/** Puts what waits on top of the list. */
export function release(arrivals: Arrivals): Arrivals {
  if (arrivals.waiting.length === 0) return arrivals;
  const { kept, dropped } = bound([...arrivals.waiting, ...arrivals.shown]);
  return { shown: kept, waiting: [], omitted: arrivals.omitted + dropped };
}

function bound(rows: ListedEvent[]): { kept: ListedEvent[]; dropped: number } {
  const kept = rows.toSorted(byNewest).slice(0, MAX_ARRIVALS);
  return { kept, dropped: rows.length - kept.length };
}

/**
 * The time after which what is new must be looked for, by the clock of the service: an application's may be ahead.
 * Null where there are no rows.
 */
export function sinceOf(rows: ListedEvent[]): string | null {
  const times = rows
    .slice(0, KNOWN_ROWS)
    .map(({ capturedAt, receivedAt }) => Math.min(Date.parse(capturedAt), Date.parse(receivedAt)));
  if (times.length === 0) return null;
  return new Date(times.reduce((most, time) => Math.max(most, time)) - LOOK_BACK_MS).toISOString();
}
