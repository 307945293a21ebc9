import { MINUTE_MS } from '../state/durations.ts';
import type { Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import { type Alarm, isSameAlarm, keyOf } from './alarm-subject.ts';
import { isSameMember, type Member, memberOf } from './shared-cause.ts';

/** Later alarms are attached for so long after the last one, where they share something with the incident. */
export const SHARING_MINUTES = 30;

/** Alarms of a project that have one cause. */
export interface OpenIncident {
  /** Counts up within the project. */
  number: number;
  side: Side;
  openedAtMs: number;
  lastAttachedAtMs: number;
  /** Each series that took part; empty where none is known. */
  members: Member[];
  /** Names that sources of its members may have been given; missing: none. */
  renamedTo?: string[];
  /** The alarms that are still open. */
  open: Alarm[];
}

/** The incidents of a project that have not ended. */
export interface OpenIncidents {
  incidents: OpenIncident[];
  nextNumber: number;
}

export function createOpenIncidents(firstNumber = 1): OpenIncidents {
  return { incidents: [], nextNumber: firstNumber };
}

export function addIncident(open: OpenIncidents, side: Side, atMs: number): OpenIncident {
  const incident: OpenIncident = {
    number: open.nextNumber++,
    side,
    openedAtMs: atMs,
    lastAttachedAtMs: atMs,
    members: [],
    open: [],
  };
  open.incidents.push(incident);
  return incident;
}

/**
 * Attaches an open alarm. It belongs to one incident alone, or that one would not end while another one shows it; new
 * errors have one alarm for all of them, and may be in several.
 */
export function addAlarm(open: OpenIncidents, incident: OpenIncident, alarm: Alarm): void {
  const isOwn = (other: Alarm) => isSameAlarm(other, alarm);
  if (incident.open.some(isOwn)) return;
  const other = open.incidents.find((each) => each.open.some(isOwn));
  if (other && alarm.subject.kind !== 'new-errors')
    throw new Error(
      `Alarm ${keyOf(alarm.subject)} of incident ${incident.number} is open in incident ${other.number} as well.`,
    );
  incident.open.push(alarm);
}

/** New names of one incident that are remembered. */
const MAX_NEW_NAMES = 4;

/** Remembers the name that the source of a silence may have been given: alarms of both are one incident. */
export function addNewName(incident: OpenIncident, name: string): void {
  const { renamedTo = [] } = incident;
  if (renamedTo.length < MAX_NEW_NAMES && !renamedTo.includes(name))
    incident.renamedTo = [...renamedTo, name];
}

/** Detaches an alarm that has closed. @returns the numbers of its incidents: new errors may be in several */
export function detach(open: OpenIncidents, alarm: Alarm): number[] {
  const isOwn = (other: Alarm) => isSameAlarm(other, alarm);
  const incidents = open.incidents.filter((incident) => incident.open.some(isOwn));
  for (const incident of incidents) incident.open = incident.open.filter((other) => !isOwn(other));
  return incidents.map(({ number }) => number);
}

/**
 * Takes out the incidents that have ended: all of their alarms have closed, and nothing can be attached any more (what
 * flaps stays one incident).
 * @returns their numbers
 */
export function takeEnded(open: OpenIncidents, nowMs: number): number[] {
  const hasEnded = (incident: OpenIncident) =>
    incident.open.length === 0 && nowMs - incident.lastAttachedAtMs > SHARING_MINUTES * MINUTE_MS;
  return takeOut(open, hasEnded).map(({ number }) => number);
}

/** Takes out incidents. @returns them */
export function takeOut(open: OpenIncidents, isTaken: (incident: OpenIncident) => boolean): OpenIncident[] {
  const taken = open.incidents.filter(isTaken);
  if (taken.length > 0) open.incidents = open.incidents.filter((incident) => !taken.includes(incident));
  return taken;
}

/** An incident that the detector before this one had open. */
export interface ReopenedIncident {
  number: number;
  side: Side;
  openedAtMs: number;
  /** Those of its evidence. */
  series: RiskSeries[];
}

/** Incidents and alarms of the detector before this one that go on. */
export interface FormerIncidents {
  /** An alarm belongs to the last one that shares a series with it. */
  incidents: ReopenedIncident[];
  nextNumber: number;
  /** When something was attached last to those of which no alarm is open here: they end unless one opens. */
  attachedAtMs: number;
  /** Incidents that opened here after it, and are of none of these, stay. */
  sinceMs: number;
}

/**
 * Puts the incidents of the detector before in the place of its own, whose open alarms go to the one that shares a series
 * with theirs. Alarms of none of them close unnoticed.
 * @returns new numbers of its own incidents that stay, by their former ones
 */
export function adopt(
  open: OpenIncidents,
  { incidents, nextNumber, attachedAtMs, sinceMs }: FormerIncidents,
): Map<number, number> {
  const own = open.incidents;
  open.incidents = incidents.map(({ number, side, openedAtMs, series }) => ({
    number,
    side,
    openedAtMs,
    lastAttachedAtMs: attachedAtMs,
    members: series.map((each) => memberOf(each)),
    open: [],
  }));
  open.nextNumber = nextNumber;
  const adopted = [...open.incidents];
  const continued = new Set<OpenIncident>();
  const numbers = new Map<number, number>();
  for (const incident of own) {
    const shared = adopted.findLast(({ members }) => members.some((member) => takesPart(incident, member)));
    if (shared) {
      const since = continued.has(shared) ? shared.lastAttachedAtMs : 0;
      shared.lastAttachedAtMs = Math.max(since, Math.min(incident.lastAttachedAtMs, attachedAtMs));
      continued.add(shared);
      for (const member of incident.members) if (!takesPart(shared, member)) shared.members.push(member);
      for (const name of incident.renamedTo ?? []) addNewName(shared, name);
      for (const alarm of incident.open) addAlarm(open, shared, alarm);
    } else if (incident.openedAtMs > sinceMs && incident.open.length > 0) {
      numbers.set(incident.number, open.nextNumber);
      open.incidents.push({ ...incident, number: open.nextNumber++ });
    }
  }
  return numbers;
}

/** Takes out an incident that a person has resolved. @returns the alarms that were still open */
export function dismiss(open: OpenIncidents, number: number): Alarm[] {
  return takeOut(open, (incident) => incident.number === number).flatMap((incident) => incident.open);
}

export function takesPart({ members }: Pick<OpenIncident, 'members'>, member: Member): boolean {
  return members.some((other) => isSameMember(other, member));
}
