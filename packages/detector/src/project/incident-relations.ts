import { MINUTE_MS } from '../state/durations.ts';
import { DOWN, type Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import { type Alarm, isSameSubject } from './alarm-subject.ts';
import type { Anomaly } from './anomaly.ts';
import { type OpenIncident, SHARING_MINUTES, takesPart } from './open-incidents.ts';
import { isSum, isTraffic } from './series-key.ts';
import { type Member, sharesDimension } from './shared-cause.ts';
import type { Movement } from './shared-movement.ts';

/**
 * Alarms that begin together have one cause, regardless of their subjects. One of 10 or 30 minutes began
 * with its window; within longer ones too much begins.
 */
const SYNCHRONY_MINUTES = 3;
/** While alarms are open, what shares with them goes on: sparse series show it later than others. */
export const ONGOING_MINUTES = 180;
/** A series that takes part may go on, or turn to its opposite, for so long after the last alarm. */
const FLAPPING_MINUTES = 90;

/** An alarm that opens, with what it is grouped by. */
export interface OpeningAlarm {
  alarm: Alarm;
  series: RiskSeries;
  anomaly: Anomaly;
  atMs: number;
}

/** Questions of the grouping to the project. */
export interface Surroundings {
  /** True if so many series have a type that sharing it says nothing. */
  isCommonType: (type: string) => boolean;
  /** True if most of the project takes part in a movement. */
  isSharedMovement: (movement: Movement) => boolean;
}

/** An alarm, and what its relation to an incident depends on. */
export interface Candidate extends OpeningAlarm, Surroundings {
  member: Member;
  /** The incident to which an alarm was attached last, of those with one in the last half hour. */
  latest: OpenIncident | undefined;
  /** True if it belongs to all that goes on: a sum, or anything in a storm. */
  isOfAll: boolean;
}

type Relation = (incident: OpenIncident, candidate: Candidate) => boolean;

/** How an alarm may belong to an incident, the closest relation first. */
export const RELATIONS: Relation[] = [
  isOfMember,
  shares,
  beginsTogether,
  movesTogether,
  (incident, { latest, isOfAll }) => isOfAll && incident === latest,
  isSumOrPart,
  isFirstPart,
];

/** Its series takes part, and flaps while others go on; or goes on itself: a silence ends with what waited. */
function isOfMember(incident: OpenIncident, { alarm, member, anomaly, atMs }: Candidate): boolean {
  if (!takesPart(incident, member)) return false;
  const isFlapping = wasAttachedWithin(incident, Math.max(FLAPPING_MINUTES, anomaly.windowMinutes), atMs);
  const goesOn = ({ subject, side }: Alarm) =>
    (side === DOWN || side === alarm.side) && isSameSubject(subject, alarm.subject);
  return isFlapping || hasUnusualCounts(incident, alarm.side) || incident.open.some(goesOn);
}

/**
 * It shares a dimension, or has the new name of a source that takes part, or the former one; and its window or silence, half
 * an hour, or three hours while alarms are open, reach back to the last alarm.
 */
function shares(incident: OpenIncident, { member, anomaly, atMs, isCommonType }: Candidate): boolean {
  const { members, open, renamedTo = [] } = incident;
  const least = open.length > 0 ? ONGOING_MINUTES : SHARING_MINUTES;
  const minutes = Math.max(least, anomaly.windowMinutes, anomaly.lastEventMinutesAgo ?? 0);
  if (!wasAttachedWithin(incident, minutes, atMs)) return false;
  if (member.source !== null && renamedTo.includes(member.source)) return true;
  return members.some(
    (other) => other.source === anomaly.renamedTo || sharesDimension(member, other, isCommonType),
  );
}

function beginsTogether(
  { openedAtMs }: OpenIncident,
  { anomaly: { windowMinutes }, atMs }: Candidate,
): boolean {
  const isWindow = windowMinutes > SYNCHRONY_MINUTES && windowMinutes <= SHARING_MINUTES;
  return atMs - openedAtMs <= (SYNCHRONY_MINUTES + (isWindow ? windowMinutes : 0)) * MINUTE_MS;
}

/**
 * All traffic grows or is lost, which its series show minutes to hours apart, and its errors with it. Where only its own
 * source moves like an alarm, it has another cause.
 */
function movesTogether(incident: OpenIncident, candidate: Candidate): boolean {
  const { alarm, member, anomaly, atMs, isSharedMovement } = candidate;
  const traffic = incident.members.filter(isTraffic);
  if (!hasUnusualCounts(incident, alarm.side) || traffic.length === 0) return false;
  if (isTraffic(member)) {
    const { side } = alarm;
    return isSharedMovement({
      member,
      anomaly,
      side,
      minutes: (atMs - incident.openedAtMs) / MINUTE_MS,
      atMs,
    });
  }
  const isOfErrors = (other: Member) => isSum(other) || other.source === member.source;
  return anomaly.exposure?.isInProportion === true && traffic.some(isOfErrors);
}

/** A sum belongs to what is open. It and its parts are as slow as each other at coarse steps, but find the same hours apart. */
function isSumOrPart(incident: OpenIncident, { alarm, member, atMs }: Candidate): boolean {
  const open = incident.open.filter(({ side }) => side === alarm.side);
  if (isSum(member) && open.length > 0 && wasAttachedWithin(incident, ONGOING_MINUTES, atMs)) return true;
  return isSlow(alarm) && open.some(isSlow) && [member, ...incident.members].some(isSum);
}

/** Nothing is known but sums, or of an adopted incident the side alone: the first part shows where it is. */
function isFirstPart(incident: OpenIncident, { alarm, atMs }: Candidate): boolean {
  const isSameSide = incident.side === alarm.side && wasAttachedWithin(incident, SHARING_MINUTES, atMs);
  return isSameSide && incident.members.every(isSum);
}

export function wasAttachedWithin(
  { lastAttachedAtMs }: OpenIncident,
  minutes: number,
  atMs: number,
): boolean {
  return atMs - lastAttachedAtMs <= minutes * MINUTE_MS;
}

/** True if counts are still unusual. A heartbeat may be missing for weeks, which says nothing of now. */
function hasUnusualCounts({ open }: OpenIncident, side: Side): boolean {
  return open.some((alarm) => alarm.side === side && alarm.subject.kind === 'series');
}

function isSlow({ coarseStep, isSilence }: Alarm): boolean {
  return coarseStep !== undefined || isSilence === true;
}
