import { SEVERITIES, type Severity } from '../../events/severity.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { Change } from '../outbox/change.ts';
import { type Budget, type Deferral, deferMessages, type Quiet } from './defer-messages.ts';
import { HOLD_MS } from './retries.ts';

/** New messages of a target in the window; further ones become a digest. */
const MAX_MESSAGES = 10;
/** Within this window an incident is brought up to date once, but for what opens, worsens, resolves or acknowledges it. */
export const WINDOW_MS = 10 * MINUTE_MS;
/** The first digest waits for what comes at once. */
const GATHER_MS = 5_000;
const DIGEST_INTERVAL_MS = MINUTE_MS;
/** Digests of a window that are messages of their own: with them a storm is at most 12 messages. */
const MAX_DIGESTS = 2;

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
interface Recent {
  /** Messages of their own, digests left out. */
  messages: number;
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
}

/**
 * What is to be done for a target now. Level-triggered: of several changes of a subject one message remains, which says
 * how it is when it is sent. Bounded: a storm becomes digests. What is not due is left out, unless something else says it.
 * An edit makes no sound: quiet hours and budgets are about messages of their own.
 */
export function planSends(situation: Situation): Step[] {
  const { waiting, threads, recent, canEdit, nowMs } = situation;
  const steps: Step[] = [];
  const isStale = (each: Waiting) => each.attempts === 0 && waitsSince(each) < nowMs - HOLD_MS;
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
          : (thread?.sentMs ?? 0) + WINDOW_MS;
      if (earliestMs > nowMs)
        steps.push({ kind: 'postpone', ids: group.map(({ id }) => id), untilMs: earliestMs });
      else steps.push({ kind: 'send', delivery, isEdit: true, collapsed: collapsedOf({ delivery, group }) });
    }
  }
  messages.sort(
    ({ delivery: left }, { delivery: right }) => rank(right) - rank(left) || left.createdMs - right.createdMs,
  );
  const deferred = deferMessages(messages, situation);
  const all = [...steps, ...deferred.steps];
  addMessages(all, deferred.sent, { recent, canEdit, nowMs });
  return all;
}

/** Messages of their own up to the bound, the worst first; the others wait for a digest. */
function addMessages(
  steps: Step[],
  messages: readonly Message[],
  { recent, canEdit, nowMs }: Pick<Situation, 'recent' | 'canEdit' | 'nowMs'>,
): void {
  // A digest that failed is tried again as itself.
  const isDigest = ({ delivery }: Message) => delivery.subjectKind === 'digest';
  const others = messages.filter((each) => !isDigest(each));
  // Those that were attempted count already.
  const begun = others.filter(({ delivery }) => delivery.attempts > 0);
  const fresh = others.filter(({ delivery }) => delivery.attempts === 0);
  const room = Math.max(0, MAX_MESSAGES - recent.messages);
  const isStorm = fresh.length > room;
  // Once a digest has gone, the rest of its storm goes into the next one.
  const single = isStorm && recent.digestsMs.length > 0 ? 0 : room;
  for (const message of [...messages.filter(isDigest), ...begun, ...fresh.slice(0, single)])
    steps.push({ kind: 'send', delivery: message.delivery, isEdit: false, collapsed: collapsedOf(message) });
  const rest = fresh.slice(single);
  if (rest.length === 0) return;
  const untilMs = nextDigest(
    rest.map(({ delivery }) => delivery),
    { recent, canEdit },
  );
  const ids = rest.flatMap((message) => [message.delivery.id, ...collapsedOf(message)]);
  if (untilMs > nowMs) {
    steps.push({ kind: 'postpone', ids, untilMs });
    return;
  }
  // The worst comes first.
  steps.push({ kind: 'digest', ids, severity: rest[0]?.delivery.severity ?? 'info', routeId: null });
}

/** When the next digest may go. One that can be edited grows minute by minute; others are two in ten minutes. */
function nextDigest(
  rest: readonly Waiting[],
  { recent: { digestsMs }, canEdit }: Pick<Situation, 'recent' | 'canEdit'>,
): number {
  const last = digestsMs.at(-1);
  if (last === undefined)
    return rest.reduce((least, { createdMs }) => Math.min(least, createdMs), Infinity) + GATHER_MS;
  const [first = last] = digestsMs.slice(-MAX_DIGESTS);
  if (canEdit || digestsMs.length < MAX_DIGESTS) return last + DIGEST_INTERVAL_MS;
  return Math.max(last + DIGEST_INTERVAL_MS, first + WINDOW_MS);
}

function collapsedOf({ delivery, group }: Message): string[] {
  return group.filter(({ id }) => id !== delivery.id).map(({ id }) => id);
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
