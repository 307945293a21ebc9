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
 * Time within which alarms begin together: they have one cause, regardless of their subjects. An alarm of 10 or 30 minutes began
 * with its window; within longer ones too much begins.
 */
const SYNCHRONY_MINUTES = 3;
/** Time after the last alarm within which related ones are attached while alarms are open: sparse series show trouble later. */
export const ONGOING_MINUTES = 180;
/** Time after the last alarm within which a series of the incident may go on, or turn to its opposite. */
const FLAPPING_MINUTES = 90;

/** Alarm that opens, with the values by which it is grouped. */
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

/** Alarm, with the values on which its relation to an incident depends. */
export interface Candidate extends OpeningAlarm, Surroundings {
  member: Member;
  /** Incident to which an alarm was attached last, of those with one in the last half hour. */
  latest: OpenIncident | undefined;
  /** True if it belongs to any trouble: a sum, or anything in a storm. */
  isOfAll: boolean;
}

type Relation = (incident: OpenIncident, candidate: Candidate) => boolean;

/** Relations of an alarm to an incident, the closest first. */
export const RELATIONS: Relation[] = [
  isOfMember,
  shares,
  beginsTogether,
  movesTogether,
  (incident, { latest, isOfAll }) => isOfAll && incident === latest,
  isSumOrPart,
  isFirstPart,
];

/** True if its series takes part, and flaps while others go on; or goes on itself: a silence ends with a rush of waiting events. */
function isOfMember(incident: OpenIncident, { alarm, member, anomaly, atMs }: Candidate): boolean {
  if (!takesPart(incident, member)) return false;
  const isFlapping = wasAttachedWithin(incident, Math.max(FLAPPING_MINUTES, anomaly.windowMinutes), atMs);
  const goesOn = ({ subject, side }: Alarm) =>
    (side === DOWN || side === alarm.side) && isSameSubject(subject, alarm.subject);
  return isFlapping || hasUnusualCounts(incident, alarm.side) || incident.open.some(goesOn);
}

/**
 * True if it shares a dimension, or has the new name of a source that takes part, or the former one; and its window or silence, half
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
 * True if all traffic grows or is lost, which its series show minutes to hours apart, and its errors with it. Where only its own
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

/** True for a sum while alarms are open; at coarse steps also for its parts, which find the same trouble hours apart. */
function isSumOrPart(incident: OpenIncident, { alarm, member, atMs }: Candidate): boolean {
  const open = incident.open.filter(({ side }) => side === alarm.side);
  if (isSum(member) && open.length > 0 && wasAttachedWithin(incident, ONGOING_MINUTES, atMs)) return true;
  return isSlow(alarm) && open.some(isSlow) && [member, ...incident.members].some(isSum);
}

/** True if only sums take part, or only the side of an adopted incident is known: the first part shows where the trouble is. */
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

/** True if counts are still unusual. A heartbeat may be missing for weeks, which is no sign of present trouble. */
function hasUnusualCounts({ open }: OpenIncident, side: Side): boolean {
  return open.some((alarm) => alarm.side === side && alarm.subject.kind === 'series');
}

function isSlow({ coarseStep, isSilence }: Alarm): boolean {
  return coarseStep !== undefined || isSilence === true;
}
