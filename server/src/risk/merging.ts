import type { Side } from './series-memory.ts';

/** What joins has to come this soon after what joined last. */
const SAME_SIDE_MINUTES = 30;
/** The way back of a series may bring its opposite. */
const OTHER_SIDE_MINUTES = 90;

/** Alarms of a project that have one cause; plain JSON. */
export interface Incident {
  /** Counts up within the project. */
  number: number;
  side: Side;
  openedAtMs: number;
  lastJoinedAtMs: number;
  /** Every series that took part, and those whose alarm is still open: `series:side`. */
  series: number[];
  open: string[];
}

export interface IncidentBook {
  incidents: Incident[];
  nextNumber: number;
}

const MINUTE_MS = 60_000;
/** Open incidents of a project that are told apart. */
const MAX_INCIDENTS = 100;

export function createBook(): IncidentBook {
  return { incidents: [], nextNumber: 1 };
}

/**
 * Puts an alarm into the incident that it belongs to: one of the same side where something joined in the last half
 * hour, or of the other side for a series that takes part in it already. Otherwise it opens one.
 */
export function join(
  book: IncidentBook,
  alarm: { series: number; side: Side; atMs: number },
): { incident: Incident; isNew: boolean } {
  const { series, side, atMs } = alarm;
  const name = nameOf(series, side);
  const full = book.incidents.length >= MAX_INCIDENTS;
  const known = book.incidents.findLast((incident) => {
    const minutes = (atMs - incident.lastJoinedAtMs) / MINUTE_MS;
    if (full) return true;
    if (incident.side === side) return minutes <= SAME_SIDE_MINUTES;
    return minutes <= OTHER_SIDE_MINUTES && incident.series.includes(series);
  });
  if (known) {
    known.lastJoinedAtMs = atMs;
    if (!known.series.includes(series)) known.series.push(series);
    if (!known.open.includes(name)) known.open.push(name);
    return { incident: known, isNew: false };
  }
  const incident = {
    number: book.nextNumber++,
    side,
    openedAtMs: atMs,
    lastJoinedAtMs: atMs,
    series: [series],
    open: [name],
  };
  book.incidents.push(incident);
  return { incident, isNew: true };
}

/** The incident whose alarm closes, and whether it was the last one; null where it is not known (any more). */
export function leave(
  book: IncidentBook,
  alarm: { series: number; side: Side },
): { incident: Incident; isLast: boolean } | null {
  const name = nameOf(alarm.series, alarm.side);
  const incident = book.incidents.findLast(({ open }) => open.includes(name));
  if (!incident) return null;
  incident.open = incident.open.filter((other) => other !== name);
  return { incident, isLast: incident.open.length === 0 };
}

/** Forgets what has ended long enough ago that nothing can join it. */
export function forgetEnded(book: IncidentBook, nowMs: number): void {
  book.incidents = book.incidents.filter(
    ({ open, lastJoinedAtMs }) => open.length > 0 || nowMs - lastJoinedAtMs <= OTHER_SIDE_MINUTES * MINUTE_MS,
  );
}

function nameOf(series: number, side: Side): string {
  return `${series}:${side}`;
}
