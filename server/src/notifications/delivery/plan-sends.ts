import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import { heldUntil } from '../../platform/stored-times.ts';
import type { Change } from '../outbox/change.ts';
import { boundStorm, collapsedOf, WINDOW_MS } from './bound-storm.ts';
import {
  type Budget,
  type Deferral,
  deferMessages,
  isCriticalOpening,
  type Quiet,
} from './defer-messages.ts';
import { HOLD_MS } from './retries.ts';

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

/**
 * What is to be done for a target now. Level-triggered: of several changes of a subject one message remains, which says
 * how it is when it is sent. Bounded: a storm becomes digests. What is not due is left out, unless something else says it.
 * Incidents that open at severity critical or reach it come first.
 * An edit makes no sound: quiet hours and budgets are about messages of their own.
 */
export function planSends(situation: Situation): Step[] {
  const { waiting, threads, recent, canEdit, nowMs, confirmedMs } = situation;
  const steps: Step[] = [];
  const isStale = (each: Waiting) => each.attempts === 0 && waitsSince(each) < confirmedMs - HOLD_MS;
  const held = waiting.filter(isStale);
  if (held.length > 0) steps.push({ kind: 'hold', ids: held.map(({ id }) => id) });

  const messages: Message[] = [];
  for (const group of groupBySubject(waiting.filter((each) => !isStale(each)))) {
    const thread = threads.get(group[0]?.subjectId ?? '');
    const isEditable = canEdit && thread?.isEditable === true;
    const delivery = group.findLast(isLoud) ?? group.at(-1);
    if (!delivery || !group.some(({ dueMs }) => dueMs <= nowMs)) continue;
    if (isLoud(delivery) && !isEditable) messages.push({ delivery, group });
    else if (!isEditable)
      steps.push({ kind: 'drop', ids: group.map(({ id }) => id), reason: 'nothing_to_edit' });
    else {
      const earliestMs =
        isLoud(delivery) || group.some(({ change }) => change === 'acknowledged')
          ? 0
          : heldUntil((thread?.sentMs ?? 0) + WINDOW_MS, WINDOW_MS, nowMs);
      if (earliestMs > nowMs)
        steps.push({ kind: 'postpone', ids: group.map(({ id }) => id), untilMs: earliestMs });
      else steps.push({ kind: 'send', delivery, isEdit: true, collapsed: collapsedOf({ delivery, group }) });
    }
  }
  messages.sort(
    ({ delivery: left }, { delivery: right }) => rank(right) - rank(left) || left.createdMs - right.createdMs,
  );
  const deferred = deferMessages(messages, situation);
  const all = [...steps, ...deferred.steps, ...boundStorm(deferred.sent, { recent, canEdit, nowMs })];
  // Before edits and digests too: each may wait for the answer of the one before it.
  const isUrgent = (step: Step) => step.kind === 'send' && isCriticalOpening(step.delivery);
  return [...all.filter(isUrgent), ...all.filter((step) => !isUrgent(step))];
}

/** What was put off has waited since the time that it was put off to. */
function waitsSince({ createdMs, dueMs, deferredBy }: Waiting): number {
  return deferredBy === null ? createdMs : Math.max(createdMs, dueMs);
}

function isLoud({ change }: Waiting): boolean {
  return change !== 'updated' && change !== 'acknowledged';
}

function rank({ severity }: Waiting): number {
  return SEVERITIES.indexOf(severity);
}

function groupBySubject(waiting: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>();
  for (const each of waiting) {
    const group = groups.get(each.subjectId);
    if (group) group.push(each);
    else groups.set(each.subjectId, [each]);
  }
  return [...groups.values()];
}
