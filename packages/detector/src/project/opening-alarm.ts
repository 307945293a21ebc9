import type { RiskSeries } from '../types.ts';
import type { Alarm } from './alarm-subject.ts';
import type { Anomaly } from './anomaly.ts';
import type { OpenIncident } from './open-incidents.ts';
import type { Member } from './shared-cause.ts';
import type { Movement } from './shared-movement.ts';

/** An alarm that opens, with what it is grouped by. */
export interface OpeningAlarm {
  alarm: Alarm;
  series: RiskSeries;
  anomaly: Anomaly;
  atMs: number;
}

/** What grouping asks of the project. */
export interface Surroundings {
  /** Whether so many series have a type that sharing it says nothing. */
  isCommonType: (type: string) => boolean;
  /** Whether most of the project takes part in a movement. */
  isSharedMovement: (movement: Movement) => boolean;
}

/** An alarm, and what its relation to an incident depends on. */
export interface Candidate extends OpeningAlarm, Surroundings {
  member: Member;
  /** The incident to which an alarm was attached last, of those with one in the last half hour. */
  latest: OpenIncident | undefined;
  /** Whether it is of everything that goes on: a sum, or anything in a storm. */
  isOfAll: boolean;
}
