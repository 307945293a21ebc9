import { SEVERITIES } from '../events/severities.ts';
import type { Severity } from '../events/severity.ts';
import type { Change, RouteChange, SubjectKind } from './change.ts';

/** A change of an incident, a group or a schedule that targets may be notified of. Ids are UUIDs. */
export interface SubjectChange {
  organizationId: string;
  projectId: string;
  subjectKind: SubjectKind;
  subjectId: string;
  change: Change;
  severity: Severity;
  /** Former severity for `worse`; otherwise the same as `severity`. */
  severityBefore: Severity;
  at: Date;
}

/** A route with the state of its target. */
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

/** Messages about the subject that a target was sent, or that wait. */
export interface KnownMessages {
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

/** Decision of a route about a change, as it is stored. */
export interface RouteDecision {
  routeId: string;
  targetId: string;
  decision: Decision;
}

/** Decision to send, or the reason not to: it answers “why was I (not) notified”. */
export type Decision =
  | { kind: 'deliver' }
  | {
      kind: 'silenced';
      silenceId: string;
      /** A text if it was read from the database. */
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
  /** Only a message that was sent can be edited. */
  | 'nothing_to_edit';

/** Decides if a route sends a change to its target. */
export function decideDelivery(
  route: RouteRule,
  change: SubjectChange,
  { known, silences }: { known: KnownMessages; silences: readonly CoveringSilence[] },
  now: Date,
): Decision {
  if (route.projectId !== null && route.projectId !== change.projectId) return skip('other_project');
  if (!route.isTargetEnabled) return skip('target_disabled');
  if (change.change === 'acknowledged' || change.change === 'updated')
    return known.hasEditable ? { kind: 'deliver' } : skip('nothing_to_edit');
  // An announced incident is also ended, even if its severity was lowered meanwhile.
  const isEnd = change.change === 'resolved' && known.hasMessage;
  if (!isEnd && isBelow(change.severity, route.minSeverity)) return skip('below_severity');
  if (!chooses(route, change)) return skip('change_not_chosen');
  // The end of an announced incident is sent: on the other side it would stay open.
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

/**
 * The change as which a route sends it: a schedule's failure counts as an opening incident unless the route chose it
 * by itself.
 */
export function sentAs({ changes }: RouteRule, change: Change): Change {
  return change === 'schedule_missed' && !changes.includes('schedule_missed') ? 'opened' : change;
}

function isBelow(severity: Severity, minimum: Severity): boolean {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(minimum);
}

function skip(reason: SkipReason): Decision {
  return { kind: 'skipped', reason };
}
