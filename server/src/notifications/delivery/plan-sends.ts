import { SEVERITIES, type Severity } from '../../events/severity.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { Change } from '../outbox/change.ts';
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
  subjectId: string;
  subjectKind: 'incident' | 'group' | 'schedule' | 'digest';
  change: Change | 'digest';
  severity: Severity;
  attempts: number;
  createdMs: number;
  dueMs: number;
}

/** What a target was sent in the last minutes. */
export interface Recent {
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
  /** Says all of these. */
  | { kind: 'digest'; ids: string[]; severity: Severity }
  | { kind: 'hold'; ids: string[] }
  | { kind: 'drop'; ids: string[] }
  | { kind: 'postpone'; ids: string[]; untilMs: number };

export interface Situation {
  /** In the order of their ids. */
  waiting: readonly Waiting[];
  threads: ReadonlyMap<string, Thread>;
  recent: Recent;
  canEdit: boolean;
  nowMs: number;
}

/**
 * What is to be done for a target now. Level-triggered: of several changes of a subject one message remains, which says
 * how it is when it is sent. Bounded: a storm becomes digests. What is not due is left out, unless something else says it.
 */
export function planSends({ waiting, threads, recent, canEdit, nowMs }: Situation): Step[] {
  const steps: Step[] = [];
  const isStale = (each: Waiting) => each.attempts === 0 && each.createdMs < nowMs - HOLD_MS;
  const held = waiting.filter(isStale);
  if (held.length > 0) steps.push({ kind: 'hold', ids: held.map(({ id }) => id) });

  const messages: { delivery: Waiting; collapsed: string[] }[] = [];
  for (const group of groupBySubject(waiting.filter((each) => !isStale(each)))) {
    const thread = threads.get(group[0]?.subjectId ?? '');
    const isEditable = canEdit && thread?.isEditable === true;
    const delivery = group.findLast(isLoud) ?? group.at(-1);
    if (!delivery || !group.some(({ dueMs }) => dueMs <= nowMs)) continue;
    const collapsed = group.filter(({ id }) => id !== delivery.id).map(({ id }) => id);
    if (isLoud(delivery) && !isEditable) messages.push({ delivery, collapsed });
    else if (!isEditable) steps.push({ kind: 'drop', ids: group.map(({ id }) => id) });
    else {
      const earliestMs =
        isLoud(delivery) || group.some(({ change }) => change === 'acknowledged')
          ? 0
          : (thread?.sentMs ?? 0) + WINDOW_MS;
      if (earliestMs > nowMs)
        steps.push({ kind: 'postpone', ids: group.map(({ id }) => id), untilMs: earliestMs });
      else steps.push({ kind: 'send', delivery, isEdit: true, collapsed });
    }
  }
  addMessages(steps, messages, { recent, canEdit, nowMs });
  return steps;
}

/** Messages of their own up to the bound, the worst first; the others wait for a digest. */
function addMessages(
  steps: Step[],
  messages: { delivery: Waiting; collapsed: string[] }[],
  { recent, canEdit, nowMs }: Pick<Situation, 'recent' | 'canEdit' | 'nowMs'>,
): void {
  // A digest that failed is tried again as itself.
  const digests = messages.filter(({ delivery }) => delivery.change === 'digest');
  for (const { delivery, collapsed } of digests)
    steps.push({ kind: 'send', delivery, isEdit: false, collapsed });
  const others = messages
    .filter(({ delivery }) => delivery.change !== 'digest')
    .toSorted(
      (left, right) =>
        rank(right.delivery) - rank(left.delivery) || left.delivery.createdMs - right.delivery.createdMs,
    );
  // Those that were attempted count already.
  const begun = others.filter(({ delivery }) => delivery.attempts > 0);
  const fresh = others.filter(({ delivery }) => delivery.attempts === 0);
  const room = Math.max(0, MAX_MESSAGES - recent.messages);
  const isStorm = fresh.length > room;
  // Once a digest has gone, the rest of its storm goes into the next one.
  const single = isStorm && recent.digestsMs.length > 0 ? 0 : room;
  for (const { delivery, collapsed } of [...begun, ...fresh.slice(0, single)])
    steps.push({ kind: 'send', delivery, isEdit: false, collapsed });
  const rest = fresh.slice(single);
  if (rest.length === 0) return;
  const untilMs = nextDigest(
    rest.map(({ delivery }) => delivery),
    { recent, canEdit },
  );
  const ids = (of: typeof rest) => of.flatMap(({ delivery, collapsed }) => [delivery.id, ...collapsed]);
  if (untilMs > nowMs) {
    steps.push({ kind: 'postpone', ids: ids(rest), untilMs });
    return;
  }
  // The worst comes first.
  steps.push({ kind: 'digest', ids: ids(rest), severity: rest[0]?.delivery.severity ?? 'info' });
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
