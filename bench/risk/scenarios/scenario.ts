import type { Project, Stream } from './project-definition.ts';
import type { Severity } from './severities.ts';

/** Differences from usual while a trouble lasts; `minute` counts from its beginning. */
export interface Trouble {
  /** So long it lasts. */
  minutes: number;
  /** Factor of the usual rate of a stream; 1 by default. */
  factor?: (stream: Stream, minute: number) => number;
  /** Share of the payments that fail. */
  failingShare?: number;
  /** Streams that the project does not have otherwise. They have no rhythm and no factor. */
  extra?: Stream[];
  /** Scheduled jobs that do not run. */
  stoppedJobs?: string[];
  /** The clock of the people who cause the traffic is ahead of its usual place by so much; it stays so afterwards. */
  clockAheadMinutes?: number;
  /** The service does not know what was sent: nothing is delivered, and the detector gets these minutes as unknown. */
  isUnknown?: boolean;
}

/** Subject that the worst alarm of an incident must have. */
export type Subject = 'errors' | 'payments' | 'silence' | 'traffic';

/** Incidents that people on call want of a trouble. Minutes count from the beginning of the trouble. */
export interface Wish {
  /** At least and at most so many incidents, until the end of the watch. */
  incidents: [number, number];
  /** The first incident opens at most so late. */
  withinMinutes?: number;
  /** No incident opens earlier. */
  notBeforeMinutes?: number;
  /** The worst severity of an incident. */
  severity?: { least?: Severity; most?: Severity };
  lead?: Subject;
  /** The alarms of one incident name at least so many sources. */
  sources?: number;
  /** All incidents have ended so long after the end of the trouble; negative where they do so while it lasts. */
  endsWithinMinutes?: number;
}

export interface Scenario {
  id: string;
  title: string;
  project: Project;
  /** Before the trouble; 15 where nothing is said. */
  historyDays?: number;
  /** 0 is Monday, which is the default: after 15 days it is Tuesday. */
  firstWeekday?: number;
  /** From the end of the history, a midnight. */
  beginsAtMinute: number;
  trouble: Trouble;
  /** After the trouble is over. */
  watchMinutes: number;
  wish: Wish;
}

export const HOUR = 60;
export const DAY = 24 * HOUR;

/** Minutes after midnight. */
export function at(hour: number, minute = 0): number {
  return hour * HOUR + minute;
}

export function isErrorStream({ severity }: Stream): boolean {
  return severity === 'error' || severity === 'critical';
}
