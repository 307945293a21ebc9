import { SEVERITIES } from '../events/severities.ts';
import type { Severity } from '../events/severity.ts';
import type { Change, RouteChange, SubjectKind } from './change.ts';

/** Something that happened to an incident, a group or a schedule, and that targets may be notified of. Ids are UUIDs. */
export interface SubjectChange {
  organizationId: string;
  projectId: string;
  subjectKind: SubjectKind;
  subjectId: string;
  change: Change;
  severity: Severity;
  /** Of `worse`; otherwise the same as `severity`. */
  severityBefore: Severity;
  at: Date;
}

/** A route, with what is known of its target. */
export interface RouteRule {
  id: string;
  organizationId: string;
  targetId: string;
  /** Null: all projects. */
  projectId: string | null;
  minSeverity: Severity;
  changes: readonly RouteChange[];
  isTargetEnabled: boolean;
}

/** What a target knows of the subject: a message was sent, or waits. */
export interface Known {
  hasMessage: boolean;
  /** A message that can be edited, or one that is not sent yet. */
  hasEditable: boolean;
}

/** A silence that covers the change. */
interface CoveringSilence {
  id: string;
  until: Date;
  reason: string | null;
  byName: string | null;
}

/** What a route decided about a change, as it is stored. */
export interface RouteDecision {
  routeId: string;
  targetId: string;
  decision: Decision;
}

/** Whether a route sends, and why not: what “why was I (not) notified” shows. */
export type Decision =
  | { kind: 'deliver' }
  | {
      kind: 'silenced';
      silenceId: string;
      /** A text where it was read from the database. */
      until: Date | string;
      reason: string | null;
      byName: string | null;
    }
  | { kind: 'skipped'; reason: SkipReason };

export type SkipReason =
  | 'other_project'
  | 'below_severity'
  | 'change_not_chosen'
  | 'target_disabled'
  /** Another route sends the same change to the same target. */
  | 'sent_by_other_route'
  /** Only a message that was sent can be brought up to date. */
  | 'nothing_to_edit';

/** Whether a route sends a change to its target. */
export function decideDelivery(
  route: RouteRule,
  change: SubjectChange,
  { known, silences }: { known: Known; silences: readonly CoveringSilence[] },
  now: Date,
): Decision {
  if (route.projectId !== null && route.projectId !== change.projectId) return skip('other_project');
  if (!route.isTargetEnabled) return skip('target_disabled');
  if (change.change === 'acknowledged' || change.change === 'updated')
    return known.hasEditable ? { kind: 'deliver' } : skip('nothing_to_edit');
  // What was announced is also ended, where its severity was lowered meanwhile.
  const isEnd = change.change === 'resolved' && known.hasMessage;
  if (!isEnd && isBelow(change.severity, route.minSeverity)) return skip('below_severity');
  if (!chooses(route, change)) return skip('change_not_chosen');
  // The end of what was announced is sent: on the other side it would stay open.
  const silence = isEnd ? undefined : silences.find(({ until }) => until > now);
  if (silence) {
    const { id, until, reason, byName } = silence;
    return { kind: 'silenced', silenceId: id, until, reason, byName };
  }
  return { kind: 'deliver' };
}

/** For a route whose severity it reaches by getting worse, an incident opens. */
function chooses({ changes, minSeverity }: RouteRule, { change, severityBefore }: SubjectChange): boolean {
  if (change === 'worse' && isBelow(severityBefore, minSeverity) && changes.includes('opened')) return true;
  if (change === 'schedule_missed' && changes.includes('opened')) return true;
  return changes.some((each) => each === change);
}

/** What a route sends a change as: the failure of a schedule is an incident that opens where it is not chosen by itself. */
export function sentAs({ changes }: RouteRule, change: Change): Change {
  return change === 'schedule_missed' && !changes.includes('schedule_missed') ? 'opened' : change;
}

function isBelow(severity: Severity, minimum: Severity): boolean {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(minimum);
}

function skip(reason: SkipReason): Decision {
  return { kind: 'skipped', reason };
}
