import { MINUTE_MS } from '../state/durations.ts';
import type { Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import { type Alarm, isSameAlarm, keyOf } from './alarm-subject.ts';
import { isSameMember, type Member, memberOf } from './shared-cause.ts';

/** Time after the last alarm within which later ones are attached that share something with the incident. */
export const SHARING_MINUTES = 30;

/** Incident: the alarms of a project that have one cause. */
export interface OpenIncident {
  /** Number that counts up within the project. */
  number: number;
  side: Side;
  openedAtMs: number;
  lastAttachedAtMs: number;
  /** Series that took part; empty where none is known. */
  members: Member[];
  /** Possible new names of the sources of its members; missing: none. */
  renamedTo?: string[];
  /** Alarms that are still open. */
  open: Alarm[];
}

/** Incidents of a project that have not ended. */
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

/** Maximum remembered new names of one incident. */
const MAX_NEW_NAMES = 4;

/** Remembers a possible new name of the source of a silence: alarms of both are one incident. */
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
 * Takes out the incidents that have ended: all of their alarms have closed, and nothing can be attached any more (a flapping
 * series stays one incident).
 * @returns their numbers
 */
export function takeEnded(open: OpenIncidents, nowMs: number): number[] {
  const hasEnded = (incident: OpenIncident) =>
    incident.open.length === 0 && nowMs - incident.lastAttachedAtMs > SHARING_MINUTES * MINUTE_MS;
  return takeOut(open, hasEnded).map(({ number }) => number);
}

/** Takes out incidents, and returns them. */
export function takeOut(open: OpenIncidents, isTaken: (incident: OpenIncident) => boolean): OpenIncident[] {
  const taken = open.incidents.filter(isTaken);
  if (taken.length > 0) open.incidents = open.incidents.filter((incident) => !taken.includes(incident));
  return taken;
}

/** Open incident of the detector before this one. */
export interface ReopenedIncident {
  number: number;
  side: Side;
  openedAtMs: number;
  /** Series of its evidence. */
  series: RiskSeries[];
}

/** Incidents of the detector before this one, which go on. */
export interface FormerIncidents {
  /** Incidents, to the last of which that shares a series an alarm belongs. */
  incidents: ReopenedIncident[];
  nextNumber: number;
  /** Time of the last alarm of incidents without an open one here: they end unless one opens. */
  attachedAtMs: number;
  /** Time after which incidents have opened here that stay, unless they belong to these. */
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
