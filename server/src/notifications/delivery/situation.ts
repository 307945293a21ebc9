import type { Severity } from '../../events/severity.ts';
import type { Change } from '../../outbox/change.ts';

/** A delivery that waits. */
export interface Waiting {
  id: string;
  /** Null: the route is deleted, or it is a digest of several. */
  routeId: string | null;
  subjectId: string;
  subjectKind: 'incident' | 'group' | 'schedule' | 'digest';
  /** `over_budget`: the digest of what is beyond the budget of a route. */
  change: Change | 'digest' | 'over_budget';
  severity: Severity;
  attempts: number;
  createdMs: number;
  dueMs: number;
  /** Why it was put off until then; null: it was not. */
  deferredBy: Deferral | null;
}

/** What a message of its own says: the changes of one subject that wait. */
export interface Message {
  delivery: Waiting;
  /** With the delivery. */
  group: readonly Waiting[];
}

/** What a target was sent in the last minutes. */
export interface Recent {
  /** Messages of their own, digests left out. */
  messages: number;
  /** Incidents among them that opened at severity critical or reached it. */
  criticals: number;
  /** When each digest went, oldest first. */
  digestsMs: number[];
}

export interface Thread {
  isEditable: boolean;
  sentMs: number;
}

export type Step =
  | { kind: 'send'; delivery: Waiting; isEdit: boolean; collapsed: string[] }
  /** Says all of these. @param routeId the route whose budget they are beyond; null: they came too fast */
  | { kind: 'digest'; ids: string[]; severity: Severity; routeId: string | null }
  | { kind: 'hold'; ids: string[] }
  | { kind: 'drop'; ids: string[]; reason: 'nothing_to_edit' | 'resolved_meanwhile' }
  | { kind: 'postpone'; ids: string[]; untilMs: number }
  | { kind: 'defer'; ids: string[]; untilMs: number; by: Deferral };

export interface Situation {
  /** In the order of their ids. */
  waiting: readonly Waiting[];
  threads: ReadonlyMap<string, Thread>;
  recent: Recent;
  canEdit: boolean;
  /** Null: it is not quiet now. */
  quiet: Quiet | null;
  /** By the ids of routes; those without one are left out. */
  budgets: ReadonlyMap<string, Budget>;
  /** Of the subjects that quiet hours have held, those that are over. */
  resolved: ReadonlySet<string>;
  nowMs: number;
  /** The confirmed time: a leap of the clock makes nothing old. */
  confirmedMs: number;
}

/** Why a message waits although its target works. */
export type Deferral = 'quiet_hours' | 'budget';

/** The quiet hours of a target that go on. */
export interface Quiet {
  untilMs: number;
  /** What is sent all the same. */
  minSeverity: Severity;
}

/** The attention budget of a route, and what is used of it at a target. */
export interface Budget {
  maxPerWeek: number;
  /** Messages of the last seven days, edits left out, and digests of what was beyond it. */
  used: number;
  /** When the last digest of what was beyond it was made; null: not in the last days. */
  lastDigestMs: number | null;
  /** When the next one may go, after now. */
  nextDigestMs: number;
}
