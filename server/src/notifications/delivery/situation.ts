import type { Severity } from '../../events/severity.ts';
import type { Change } from '../../outbox/change.ts';

/** A waiting delivery. */
export interface WaitingDelivery {
  id: string;
  /** Route of the delivery; null: it is deleted, or this is a digest of several. */
  routeId: string | null;
  subjectId: string;
  subjectKind: 'incident' | 'group' | 'schedule' | 'digest';
  /** `over_budget`: the digest of messages beyond the budget of a route. */
  change: Change | 'digest' | 'over_budget';
  severity: Severity;
  attempts: number;
  createdMs: number;
  dueMs: number;
  /** Reason for its deferral until `dueMs`; null: it was not deferred. */
  deferredBy: Deferral | null;
}

/** Content of one message: the waiting changes of one subject. */
export interface Message {
  delivery: WaitingDelivery;
  /** All waiting deliveries of the subject, this one included. */
  group: readonly WaitingDelivery[];
}

/** Messages that a target was sent in the last minutes. */
export interface Recent {
  /** New messages, digests excluded. */
  messages: number;
  /** Incidents among them that opened at severity critical or reached it. */
  criticals: number;
  /** When each digest was sent, oldest first. */
  digestsMs: number[];
}

export interface Thread {
  isEditable: boolean;
  sentMs: number;
}

export type Step =
  | { kind: 'send'; delivery: WaitingDelivery; isEdit: boolean; collapsed: string[] }
  /** One digest of all of these. @param routeId route whose budget they exceed; null: they came too fast */
  | { kind: 'digest'; ids: string[]; severity: Severity; routeId: string | null }
  | { kind: 'hold'; ids: string[] }
  | { kind: 'drop'; ids: string[]; reason: 'nothing_to_edit' | 'resolved_meanwhile' }
  | { kind: 'postpone'; ids: string[]; untilMs: number }
  | { kind: 'defer'; ids: string[]; untilMs: number; by: Deferral };

export interface Situation {
  /** Sorted by their ids. */
  waiting: readonly WaitingDelivery[];
  threads: ReadonlyMap<string, Thread>;
  recent: Recent;
  canEdit: boolean;
  /** Null: it is not quiet now. */
  quiet: Quiet | null;
  /** Budgets by the ids of routes; routes without one are missing. */
  budgets: ReadonlyMap<string, Budget>;
  /** Subjects that quiet hours have held and that are resolved. */
  resolved: ReadonlySet<string>;
  nowMs: number;
  /** The confirmed time: a leap of the clock makes nothing old. */
  confirmedMs: number;
}

/** Reason to delay a message although its target works. */
export type Deferral = 'quiet_hours' | 'budget';

/** The current quiet hours of a target. */
export interface Quiet {
  untilMs: number;
  /** Minimum severity that is sent all the same. */
  minSeverity: Severity;
}

/** The attention budget of a route, and how much of it is used at a target. */
export interface Budget {
  maxPerWeek: number;
  /** Messages of the last seven days, edits excluded, with the digests of what was beyond the budget. */
  used: number;
  /** When the last digest of what was beyond the budget was created; null: not in the last days. */
  lastDigestMs: number | null;
  /** When the next such digest may be sent, after now. */
  nextDigestMs: number;
}
