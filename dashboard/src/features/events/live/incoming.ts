import { byNewest, type ListedEvent } from '../listed-event.ts';

/** Events that arrived after the list was read. */
export interface Incoming {
  /** Events on top of the list, newest first. */
  shown: ListedEvent[];
  /** Events that are not in the list yet, newest first. */
  waiting: ListedEvent[];
  /** Number of events skipped by the live tail, or dropped here over the limit. */
  omitted: number;
}

export const NO_INCOMING: Incoming = { shown: [], waiting: [], omitted: 0 };

/** Maximum events kept: limits the memory of a page that is left open. */
export const MAX_INCOMING = 1_000;
/** Rows at the top of the list that are compared for duplicates: a poll goes back only a few seconds. */
const KNOWN_ROWS = 500;
/** Overlap of polls: events may be stored a little after others that were captured later. */
const LOOKBACK_MS = 5_000;

/** Adds events, each once: to the rows shown, or to those waiting while the list is paused. */
export function enqueue(
  incoming: Incoming,
  events: ListedEvent[],
  { known, paused, omitted }: { known: ListedEvent[]; paused: boolean; omitted: number },
): Incoming {
  const seen = new Set<string>();
  for (const rows of [incoming.shown, incoming.waiting, known.slice(0, KNOWN_ROWS)])
    for (const { id } of rows) seen.add(id);
  const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id));
  if (fresh.length === 0 && omitted === 0) return incoming;
  const into = paused ? incoming.waiting : incoming.shown;
  const { kept, dropped } = bound([...fresh, ...into]);
  return {
    ...incoming,
    [paused ? 'waiting' : 'shown']: kept,
    omitted: incoming.omitted + omitted + dropped,
  };
}

/** Moves the waiting events to the top of the list. */
export function flush(incoming: Incoming): Incoming {
  if (incoming.waiting.length === 0) return incoming;
  const { kept, dropped } = bound([...incoming.waiting, ...incoming.shown]);
  return { shown: kept, waiting: [], omitted: incoming.omitted + dropped };
}

function bound(rows: ListedEvent[]): { kept: ListedEvent[]; dropped: number } {
  const kept = rows.toSorted(byNewest).slice(0, MAX_INCOMING);
  return { kept, dropped: rows.length - kept.length };
}

/**
 * Returns the time from which to poll for new events, by the service's clock: an application's may be ahead.
 * Null if there are no rows.
 */
export function sinceOf(rows: ListedEvent[]): string | null {
  const times = rows
    .slice(0, KNOWN_ROWS)
    .map(({ capturedAt, receivedAt }) => Math.min(Date.parse(capturedAt), Date.parse(receivedAt)));
  if (times.length === 0) return null;
  return new Date(times.reduce((most, time) => Math.max(most, time)) - LOOKBACK_MS).toISOString();
}
