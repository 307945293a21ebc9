import { MINUTE_MS } from '../state/durations.ts';
import { DOWN, type Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import { type Alarm, isSameAlarm, isSameSubject } from './alarm-subject.ts';
import type { Anomaly } from './anomaly.ts';
import { isSum } from './series-key.ts';
import {
  addExcess,
  type Excess,
  hasUnseenSeries,
  isSameMember,
  isStorm,
  type Member,
  memberOf,
  sharesDimension,
} from './shared-cause.ts';

/**
 * Alarms that begin together have one cause, regardless of their subjects. One of 10 or 30 minutes began
 * with its window; within longer ones too much begins.
 */
const SYNCHRONY_MINUTES = 3;
const MAX_SYNCHRONY_WINDOW = 30;
/** Later alarms are attached for so long after the last one, where they share something with the incident. */
const SHARING_MINUTES = 30;
/** While alarms are open, what shares with them goes on: sparse series show it later than others. */
const ONGOING_MINUTES = 180;
/** A series that takes part may go on, or turn to its opposite, for so long after the last alarm. */
const FLAPPING_MINUTES = 90;
/** Open incidents of a project that are kept apart. */
const MAX_INCIDENTS = 100;
/** Series of one incident that are remembered: more than a project tracks. */
const MAX_MEMBERS = 600;

/** Alarms of a project that have one cause. */
export interface OpenIncident {
  /** Counts up within the project. */
  number: number;
  side: Side;
  openedAtMs: number;
  lastAttachedAtMs: number;
  /** Each series that took part; empty where none is known. */
  members: Member[];
  excess: Excess;
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

/** An alarm that opens, with what it is grouped by. */
export interface OpeningAlarm {
  alarm: Alarm;
  series: RiskSeries;
  anomaly: Anomaly;
  atMs: number;
  /** Of a silence, when an event came last; missing or null: not known, or no silence. */
  silentSinceMs?: number | null;
}

/**
 * Attaches an alarm to the incident whose cause it shares, or opens one.
 * @param isCommonType whether so many series of the project have a type that sharing it says nothing
 */
export function attach(
  open: OpenIncidents,
  { alarm, series, anomaly, atMs, silentSinceMs }: OpeningAlarm,
  isCommonType: (type: string) => boolean,
): { incident: OpenIncident; isNew: boolean } {
  const member = memberOf(series, anomaly.matched);
  const { windowMinutes } = anomaly;
  const silentMinutes = silentSinceMs ? (atMs - silentSinceMs) / MINUTE_MS : 0;
  const candidate = {
    alarm,
    member,
    atMs,
    windowMinutes,
    sinceMinutes: Math.max(windowMinutes, silentMinutes),
  };
  const known = findIncident(open, candidate, isCommonType);
  const incident = known ?? addIncident(open, alarm.side, atMs);
  incident.lastAttachedAtMs = atMs;
  if (!takesPart(incident, member)) {
    addExcess(incident.excess, member, anomaly);
    if (incident.members.length < MAX_MEMBERS) incident.members.push(member);
  }
  if (!incident.open.some((other) => isSameAlarm(other, alarm))) incident.open.push(alarm);
  return { incident, isNew: known === undefined };
}

/** What an alarm is grouped by. */
interface Candidate {
  alarm: Alarm;
  member: Member;
  atMs: number;
  windowMinutes: number;
  /** Its cause may have begun so long ago: with its window, or with a silence that took long to show. */
  sinceMinutes: number;
}

/**
 * The incident that an alarm belongs to. Of several the one to which it is related most closely: it is the alarm of a
 * series that takes part, it shares a dimension, it begins at the same time, or one of both is a sum.
 */
function findIncident(
  { incidents }: OpenIncidents,
  { alarm, member, atMs, windowMinutes, sinceMinutes }: Candidate,
  isCommonType: (type: string) => boolean,
): OpenIncident | undefined {
  const isWithin = (timeMs: number, minutes: number) => atMs - timeMs <= minutes * MINUTE_MS;
  const attachedWithin = (minutes: number) =>
    incidents.filter(({ lastAttachedAtMs }) => isWithin(lastAttachedAtMs, minutes));
  const synchronyMinutes =
    windowMinutes > SYNCHRONY_MINUTES && windowMinutes <= MAX_SYNCHRONY_WINDOW
      ? SYNCHRONY_MINUTES + windowMinutes
      : SYNCHRONY_MINUTES;
  const shares = ({ members }: OpenIncident) =>
    members.some((other) => sharesDimension(member, other, isCommonType));
  const recent = attachedWithin(SHARING_MINUTES);
  const isAboutAll = isSum(member) || isStorm(recent.flatMap(({ members }) => members));
  return (
    incidents.findLast(
      (incident) =>
        takesPart(incident, member) &&
        (isWithin(incident.lastAttachedAtMs, Math.max(FLAPPING_MINUTES, windowMinutes)) ||
          isSilent(incident, alarm) ||
          goesOn(incident, alarm)),
    ) ??
    attachedWithin(Math.max(SHARING_MINUTES, sinceMinutes)).findLast(shares) ??
    incidents.findLast(({ openedAtMs }) => isWithin(openedAtMs, synchronyMinutes)) ??
    attachedWithin(ONGOING_MINUTES).findLast((incident) => incident.open.length > 0 && shares(incident)) ??
    (isAboutAll ? lastAttached(recent) : undefined) ??
    // The sum of what is going on.
    (isSum(member)
      ? attachedWithin(ONGOING_MINUTES).findLast(({ open }) => hasSide(open, alarm.side))
      : undefined) ??
    incidents.findLast((incident) => isSlowSumOf(incident, alarm, member)) ??
    recent.findLast(({ excess, side }) => side === alarm.side && hasUnseenSeries(excess)) ??
    // Of an adopted incident without evidence the side is all that is known.
    recent.findLast(({ members, side }) => members.length === 0 && side === alarm.side) ??
    (incidents.length >= MAX_INCIDENTS ? incidents.at(-1) : undefined)
  );
}

function takesPart({ members }: OpenIncident, member: Member): boolean {
  return members.some((other) => isSameMember(other, member));
}

/** Whether the subject of an alarm has its silence in an incident: what waited meanwhile may come at once. */
function isSilent({ open }: OpenIncident, { subject }: Alarm): boolean {
  return open.some((other) => other.side === DOWN && isSameSubject(other.subject, subject));
}

function hasSide(open: Alarm[], side: Side): boolean {
  return open.some((alarm) => alarm.side === side);
}

/** Whether another step has found the same already, and its alarm is open. */
function goesOn({ open }: OpenIncident, { subject, side }: Alarm): boolean {
  return open.some((other) => other.side === side && isSameSubject(other.subject, subject));
}

/** A sum and its parts are as slow as each other, but find the same hours apart: while one is open, the other is part of it. */
function isSlowSumOf({ open, members }: OpenIncident, alarm: Alarm, member: Member): boolean {
  if (!isSlow(alarm) || !(isSum(member) || members.some(isSum))) return false;
  return open.some((other) => isSlow(other) && other.side === alarm.side);
}

function isSlow({ coarseStep, isSilence }: Alarm): boolean {
  return coarseStep !== undefined || isSilence === true;
}

function lastAttached(incidents: OpenIncident[]): OpenIncident | undefined {
  return incidents.reduce<OpenIncident | undefined>(
    (last, incident) => (last && last.lastAttachedAtMs > incident.lastAttachedAtMs ? last : incident),
    undefined,
  );
}

function addIncident(open: OpenIncidents, side: Side, atMs: number): OpenIncident {
  const incident: OpenIncident = {
    number: open.nextNumber++,
    side,
    openedAtMs: atMs,
    lastAttachedAtMs: atMs,
    members: [],
    excess: { sum: 0, single: 0 },
    open: [],
  };
  open.incidents.push(incident);
  return incident;
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
  const ended = open.incidents.filter(hasEnded);
  if (ended.length > 0) open.incidents = open.incidents.filter((incident) => !hasEnded(incident));
  return ended.map(({ number }) => number);
}

/** An incident that was opened in a time of which nothing else is known any more. */
export interface ReopenedIncident {
  number: number;
  side: Side;
  isOver: boolean;
  /** Those of its evidence; missing in a round of an earlier program. */
  series?: RiskSeries[];
}

/**
 * Adopts incidents that were opened meanwhile: their numbers are not used again, and those that are not over can be
 * attached to as if something had been attached just now. Their alarms are not known, so they end unless one is.
 */
export function adopt(open: OpenIncidents, incidents: ReopenedIncident[], atMs: number): void {
  for (const { number, side, isOver, series = [] } of incidents) {
    if (number < open.nextNumber) continue;
    open.nextNumber = isOver ? number + 1 : number;
    if (!isOver) addIncident(open, side, atMs).members = series.map((each) => memberOf(each));
  }
}

/** Takes out an incident that a person has resolved. @returns the alarms that were still open */
export function dismiss(open: OpenIncidents, number: number): Alarm[] {
  const incident = open.incidents.find((other) => other.number === number);
  open.incidents = open.incidents.filter((other) => other !== incident);
  return incident?.open ?? [];
}
