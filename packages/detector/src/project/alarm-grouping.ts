import { MAX_WINDOW_STEPS } from '../state/resolution.ts';
import {
  type Candidate,
  type OpeningAlarm,
  RELATIONS,
  type Surroundings,
  wasAttachedWithin,
} from './incident-relations.ts';
import {
  addAlarm,
  addIncident,
  addNewName,
  type OpenIncident,
  type OpenIncidents,
  SHARING_MINUTES,
  takesPart,
} from './open-incidents.ts';
import { isSum } from './series-key.ts';
import { isStorm, memberOf } from './shared-cause.ts';

/** Maximum open incidents of a project. */
const MAX_INCIDENTS = 100;
/** Maximum remembered series of one incident: more than a project tracks. */
const MAX_MEMBERS = 600;

/** Attaches an alarm to the incident whose cause it shares, or opens one. */
export function attach(
  open: OpenIncidents,
  opening: OpeningAlarm,
  surroundings: Surroundings,
): { incident: OpenIncident; isNew: boolean } {
  const { alarm, series, anomaly, atMs } = opening;
  const member = memberOf(series, anomaly.matched);
  const known = findIncident(open, { ...opening, member, ...surroundings });
  const incident = known ?? addIncident(open, alarm.side, atMs);
  incident.lastAttachedAtMs = atMs;
  if (incident.members.length < MAX_MEMBERS && !takesPart(incident, member)) incident.members.push(member);
  if (anomaly.renamedTo !== undefined) addNewName(incident, anomaly.renamedTo);
  addAlarm(open, incident, alarm);
  return { incident, isNew: known === undefined };
}

/** Returns the incident to which an alarm is related most closely, the newest of several. */
function findIncident(
  { incidents }: OpenIncidents,
  alarm: Omit<Candidate, 'latest' | 'isOfAll'>,
): OpenIncident | undefined {
  const recent = incidents.filter((incident) => wasAttachedWithin(incident, SHARING_MINUTES, alarm.atMs));
  const isOfAll = isSum(alarm.member) || isStorm(recent.flatMap(({ members }) => members));
  const isSharedMovement = askedOnce(alarm.isSharedMovement);
  const latest = recent.toSorted((left, right) => left.lastAttachedAtMs - right.lastAttachedAtMs).at(-1);
  const candidate = { ...alarm, latest, isOfAll, isSharedMovement };
  for (const isRelated of RELATIONS) {
    const found = incidents.findLast((incident) => isRelated(incident, candidate));
    if (found) return found;
  }
  return incidents.length >= MAX_INCIDENTS ? incidents.at(-1) : undefined;
}

/** Remembers the answers for one alarm, by minutes: each reads all series of the project, and all older incidents ask for the same. */
function askedOnce(isSharedMovement: Surroundings['isSharedMovement']): Surroundings['isSharedMovement'] {
  const answers = new Map<number, boolean>();
  return (movement) => {
    const minutes = Math.min(MAX_WINDOW_STEPS, Math.ceil(movement.minutes));
    const answer = answers.get(minutes) ?? isSharedMovement({ ...movement, minutes });
    answers.set(minutes, answer);
    return answer;
  };
}
