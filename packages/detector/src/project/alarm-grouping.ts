import type { Side } from '../state/series-state.ts';

/** What joins has to come this soon after what joined last. */
const SAME_SIDE_MINUTES = 30;
/** The way back of a series may bring its opposite. */
const OTHER_SIDE_MINUTES = 90;

/** What an alarm is about, named within the project, and whether there is too much or too little of it. */
export interface Alarm {
  series: string;
  side: Side;
}

/** Alarms of a project that have one cause; plain JSON. */
export interface Incident {
  /** Counts up within the project. */
  number: number;
  side: Side;
  openedAtMs: number;
  lastJoinedAtMs: number;
  /** Whatever took part, and whose alarm is still open. */
  series: string[];
  open: Alarm[];
}

/** The incidents of a project that are not over. */
export interface IncidentBook {
  incidents: Incident[];
  nextNumber: number;
}

const MINUTE_MS = 60_000;
/** Open incidents of a project that are told apart. */
const MAX_INCIDENTS = 100;

export function createBook(firstNumber = 1): IncidentBook {
  return { incidents: [], nextNumber: firstNumber };
}

/**
 * Puts an alarm into the incident that it belongs to: one of the same side where something joined in the last half
 * hour, or of the other side for a series that takes part in it already. Otherwise it opens one.
 */
export function join(
  book: IncidentBook,
  { series, side }: Alarm,
  atMs: number,
): { incident: Incident; isNew: boolean } {
  const full = book.incidents.length >= MAX_INCIDENTS;
  const own = isAlarm(series, side);
  const known = book.incidents.findLast((incident) => {
    const minutes = (atMs - incident.lastJoinedAtMs) / MINUTE_MS;
    if (full || incident.open.some(own)) return true;
    if (incident.side === side) return minutes <= SAME_SIDE_MINUTES;
    return minutes <= OTHER_SIDE_MINUTES && incident.series.includes(series);
  });
  if (known) {
    known.lastJoinedAtMs = atMs;
    if (!known.series.includes(series)) known.series.push(series);
    if (!known.open.some(own)) known.open.push({ series, side });
    return { incident: known, isNew: false };
  }
  const incident: Incident = {
    number: book.nextNumber++,
    side,
    openedAtMs: atMs,
    lastJoinedAtMs: atMs,
    series: [series],
    open: [{ series, side }],
  };
  book.incidents.push(incident);
  return { incident, isNew: true };
}

/** The number of the incident whose alarm closes; null where it is not known (any more). */
export function leave(book: IncidentBook, { series, side }: Alarm): number | null {
  const own = isAlarm(series, side);
  const incident = book.incidents.findLast(({ open }) => open.some(own));
  if (!incident) return null;
  incident.open = incident.open.filter((alarm) => !own(alarm));
  return incident.number;
}

/**
 * Takes out the incidents that are over: all of their alarms have closed, and nothing can join them any more (what
 * flaps stays one incident).
 * @returns their numbers
 */
export function takeEnded(book: IncidentBook, nowMs: number): number[] {
  const isOver = ({ open, lastJoinedAtMs }: Incident) =>
    open.length === 0 && nowMs - lastJoinedAtMs > SAME_SIDE_MINUTES * MINUTE_MS;
  const ended = book.incidents.filter(isOver);
  if (ended.length > 0) book.incidents = book.incidents.filter((incident) => !isOver(incident));
  return ended.map(({ number }) => number);
}

/** An incident that was opened in a time of which nothing else is known any more. */
export interface ReopenedIncident {
  number: number;
  side: Side;
  isOver: boolean;
}

/**
 * Takes in incidents that were opened meanwhile: their numbers are not used again, and those that are not over can be
 * joined as if something had joined just now. Their alarms are not known, so they end unless something joins.
 */
export function takeIn(book: IncidentBook, incidents: ReopenedIncident[], atMs: number): void {
  for (const { number, side, isOver } of incidents) {
    if (number < book.nextNumber) continue;
    book.nextNumber = number + 1;
    if (isOver) continue;
    book.incidents.push({ number, side, openedAtMs: atMs, lastJoinedAtMs: atMs, series: [], open: [] });
  }
}

/** Takes out an incident that a person has resolved. @returns the alarms that were still open */
export function dismiss(book: IncidentBook, number: number): Alarm[] {
  const incident = book.incidents.find((other) => other.number === number);
  book.incidents = book.incidents.filter((other) => other !== incident);
  return incident?.open ?? [];
}

function isAlarm(series: string, side: Side): (alarm: Alarm) => boolean {
  return (alarm) => alarm.series === series && alarm.side === side;
}
