import { MINUTE_MS } from '../state/durations.ts';
import type { Side } from '../state/side.ts';
import { type Alarm, type AlarmSubject, isSameAlarm, isSameSubject } from './alarm-subject.ts';

/** An alarm is attached to an incident to which the last one was attached at most so long ago. */
const SAME_SIDE_MINUTES = 30;
/** The recovery of a series may bring its opposite. */
const OTHER_SIDE_MINUTES = 90;

/** Alarms of a project that have one cause. */
export interface OpenIncident {
  /** Counts up within the project. */
  number: number;
  side: Side;
  openedAtMs: number;
  lastAttachedAtMs: number;
  /** Every subject that took part, and the alarms that are still open. */
  subjects: AlarmSubject[];
  open: Alarm[];
}

/** The incidents of a project that have not ended. */
export interface OpenIncidents {
  incidents: OpenIncident[];
  nextNumber: number;
}

/** Open incidents of a project that are kept apart. */
const MAX_INCIDENTS = 100;

export function createOpenIncidents(firstNumber = 1): OpenIncidents {
  return { incidents: [], nextNumber: firstNumber };
}

/**
 * Attaches an alarm to the incident that it belongs to: one of the same side to which something was attached in the last
 * half hour, or one of the other side in which its subject takes part already. Otherwise it opens an incident.
 */
export function attach(
  open: OpenIncidents,
  alarm: Alarm,
  atMs: number,
): { incident: OpenIncident; isNew: boolean } {
  const { subject, side } = alarm;
  const isFull = open.incidents.length >= MAX_INCIDENTS;
  const isOwn = (other: Alarm) => isSameAlarm(other, alarm);
  const takesPart = ({ subjects }: OpenIncident) => subjects.some((other) => isSameSubject(other, subject));
  const known = open.incidents.findLast((incident) => {
    const minutes = (atMs - incident.lastAttachedAtMs) / MINUTE_MS;
    if (isFull || incident.open.some(isOwn)) return true;
    if (incident.side === side) return minutes <= SAME_SIDE_MINUTES;
    return minutes <= OTHER_SIDE_MINUTES && takesPart(incident);
  });
  if (known) {
    known.lastAttachedAtMs = atMs;
    if (!takesPart(known)) known.subjects.push(subject);
    if (!known.open.some(isOwn)) known.open.push(alarm);
    return { incident: known, isNew: false };
  }
  const incident: OpenIncident = {
    number: open.nextNumber++,
    side,
    openedAtMs: atMs,
    lastAttachedAtMs: atMs,
    subjects: [subject],
    open: [alarm],
  };
  open.incidents.push(incident);
  return { incident, isNew: true };
}

/** Detaches an alarm that has closed. @returns the number of its incident; null where it is not known (any more) */
export function detach(open: OpenIncidents, alarm: Alarm): number | null {
  const isOwn = (other: Alarm) => isSameAlarm(other, alarm);
  const incident = open.incidents.findLast((other) => other.open.some(isOwn));
  if (!incident) return null;
  incident.open = incident.open.filter((other) => !isOwn(other));
  return incident.number;
}

/**
 * Takes out the incidents that have ended: all of their alarms have closed, and nothing can be attached any more (what
 * flaps stays one incident).
 * @returns their numbers
 */
export function takeEnded(open: OpenIncidents, nowMs: number): number[] {
  const hasEnded = (incident: OpenIncident) =>
    incident.open.length === 0 && nowMs - incident.lastAttachedAtMs > SAME_SIDE_MINUTES * MINUTE_MS;
  const ended = open.incidents.filter(hasEnded);
  if (ended.length > 0) open.incidents = open.incidents.filter((incident) => !hasEnded(incident));
  return ended.map(({ number }) => number);
}

/** An incident that was opened in a time of which nothing else is known any more. */
export interface ReopenedIncident {
  number: number;
  side: Side;
  isOver: boolean;
}

/**
 * Adopts incidents that were opened meanwhile: their numbers are not used again, and those that are not over can be
 * attached to as if something had been attached just now. Their alarms are not known, so they end unless one is.
 */
export function adopt(open: OpenIncidents, incidents: ReopenedIncident[], atMs: number): void {
  for (const { number, side, isOver } of incidents) {
    if (number < open.nextNumber) continue;
    open.nextNumber = number + 1;
    if (isOver) continue;
    const nothing = { subjects: [], open: [] };
    open.incidents.push({ number, side, openedAtMs: atMs, lastAttachedAtMs: atMs, ...nothing });
  }
}

/** Takes out an incident that a person has resolved. @returns the alarms that were still open */
export function dismiss(open: OpenIncidents, number: number): Alarm[] {
  const incident = open.incidents.find((other) => other.number === number);
  open.incidents = open.incidents.filter((other) => other !== incident);
  return incident?.open ?? [];
}
