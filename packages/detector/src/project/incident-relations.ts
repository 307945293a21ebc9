import { MINUTE_MS } from '../state/durations.ts';
import { DOWN, type Side } from '../state/side.ts';
import { type Alarm, isSameSubject } from './alarm-subject.ts';
import { type OpenIncident, SHARING_MINUTES, takesPart } from './open-incidents.ts';
import type { Candidate } from './opening-alarm.ts';
import { isSum, isTraffic } from './series-key.ts';
import { hasUnseenSeries, type Member, sharesDimension } from './shared-cause.ts';

/**
 * Alarms that begin together have one cause, regardless of their subjects. One of 10 or 30 minutes began
 * with its window; within longer ones too much begins.
 */
const SYNCHRONY_MINUTES = 3;
const MAX_SYNCHRONY_WINDOW = 30;
/** While alarms are open, what shares with them goes on: sparse series show it later than others. */
const ONGOING_MINUTES = 180;
/** A series that takes part may go on, or turn to its opposite, for so long after the last alarm. */
const FLAPPING_MINUTES = 90;

type Relation = (incident: OpenIncident, candidate: Candidate) => boolean;

/** How an alarm may belong to an incident, the closest relation first. */
export const RELATIONS: Relation[] = [
  isOfMember,
  sharesRecently,
  beginsTogether,
  sharesWhileOpen,
  movesTogether,
  (incident, { latest, isOfAll }) => isOfAll && incident === latest,
  isSumOfOpen,
  isSlowSumOfOpen,
  isUnseenPart,
  isOfUnknownEvidence,
];

/** Its series takes part, and flaps while others go on; or goes on itself: a silence ends with what waited. */
function isOfMember(incident: OpenIncident, { alarm, member, anomaly, atMs }: Candidate): boolean {
  if (!takesPart(incident, member)) return false;
  const isFlapping = wasAttachedWithin(incident, Math.max(FLAPPING_MINUTES, anomaly.windowMinutes), atMs);
  const goesOn = ({ subject, side }: Alarm) =>
    (side === DOWN || side === alarm.side) && isSameSubject(subject, alarm.subject);
  return isFlapping || hasUnusualCounts(incident, alarm.side) || incident.open.some(goesOn);
}

/** It shares a dimension, and its window or silence, or half an hour, reaches back to the last alarm. */
function sharesRecently(incident: OpenIncident, candidate: Candidate): boolean {
  const { anomaly, atMs } = candidate;
  const minutes = Math.max(SHARING_MINUTES, anomaly.windowMinutes, anomaly.lastEventMinutesAgo ?? 0);
  return wasAttachedWithin(incident, minutes, atMs) && shares(incident, candidate);
}

function beginsTogether(
  { openedAtMs }: OpenIncident,
  { anomaly: { windowMinutes }, atMs }: Candidate,
): boolean {
  const isWindow = windowMinutes > SYNCHRONY_MINUTES && windowMinutes <= MAX_SYNCHRONY_WINDOW;
  return atMs - openedAtMs <= (SYNCHRONY_MINUTES + (isWindow ? windowMinutes : 0)) * MINUTE_MS;
}

function sharesWhileOpen(incident: OpenIncident, candidate: Candidate): boolean {
  const isOpen = incident.open.length > 0 && wasAttachedWithin(incident, ONGOING_MINUTES, candidate.atMs);
  return isOpen && shares(incident, candidate);
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

function isSumOfOpen(incident: OpenIncident, { alarm, member, atMs }: Candidate): boolean {
  return (
    isSum(member) && hasSide(incident.open, alarm.side) && wasAttachedWithin(incident, ONGOING_MINUTES, atMs)
  );
}

/** A sum and its parts are as slow as each other, but find the same hours apart: while one is open, the other is part of it. */
function isSlowSumOfOpen({ open, members }: OpenIncident, { alarm, member }: Candidate): boolean {
  if (!isSlow(alarm) || !(isSum(member) || members.some(isSum))) return false;
  return open.some((other) => isSlow(other) && other.side === alarm.side);
}

function isUnseenPart(incident: OpenIncident, { alarm, atMs }: Candidate): boolean {
  const { side, excess } = incident;
  return side === alarm.side && wasAttachedWithin(incident, SHARING_MINUTES, atMs) && hasUnseenSeries(excess);
}

/** Of an adopted incident without evidence the side is all that is known. */
function isOfUnknownEvidence(incident: OpenIncident, { alarm, atMs }: Candidate): boolean {
  const { side, members } = incident;
  return members.length === 0 && side === alarm.side && wasAttachedWithin(incident, SHARING_MINUTES, atMs);
}

export function wasAttachedWithin(
  { lastAttachedAtMs }: OpenIncident,
  minutes: number,
  atMs: number,
): boolean {
  return atMs - lastAttachedAtMs <= minutes * MINUTE_MS;
}

/** It shares a dimension, or has the new name of a source that takes part, or the former one. */
function shares(
  { members, renamedTo = [] }: OpenIncident,
  { member, anomaly, isCommonType }: Candidate,
): boolean {
  if (member.source !== null && renamedTo.includes(member.source)) return true;
  return members.some(
    (other) => other.source === anomaly.renamedTo || sharesDimension(member, other, isCommonType),
  );
}

function hasSide(open: Alarm[], side: Side): boolean {
  return open.some((alarm) => alarm.side === side);
}

/** Whether counts are still unusual. A heartbeat may be missing for weeks, which says nothing of now. */
function hasUnusualCounts({ open }: OpenIncident, side: Side): boolean {
  return open.some((alarm) => alarm.side === side && alarm.subject.kind === 'series');
}

function isSlow({ coarseStep, isSilence }: Alarm): boolean {
  return coarseStep !== undefined || isSilence === true;
}
