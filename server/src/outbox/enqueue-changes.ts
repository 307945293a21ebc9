import type { Queryable } from '../database/database.ts';
import { newUuid } from '../platform/ids.ts';
import {
  decideDelivery,
  type KnownMessages,
  type RouteDecision,
  type RouteRule,
  type SubjectChange,
  sentAs,
} from './decide-delivery.ts';
import { findSilences, type SubjectSilences } from './find-silences.ts';
import { insertChanges, listKnownSubjects, listRouteRules, type NewDelivery } from './queries.ts';
import type { ActiveSilence } from './silence-queries.ts';

const UNKNOWN: KnownMessages = { hasMessage: false, hasEditable: false };
const NO_SILENCES = (): readonly ActiveSilence[] => [];

/**
 * Puts changes into the outbox, in the transaction that makes them: what is committed is delivered, and nothing else.
 * Without routes and silences it costs two index look-ups. Never called by a migration, a restore or a backfill, so
 * that none of them notifies of the past.
 * @param at time at which silences must be active; by default that of the changes
 * @returns the silences that cover one of the subjects for the first time
 */
export async function enqueueChanges(
  transaction: Queryable,
  changes: readonly SubjectChange[],
  at = changes[0]?.at,
): Promise<SubjectSilences['added']> {
  if (!at) return [];
  const loud = changes.filter((change) => !isQuiet(change));
  const { bySubject, added } = await findSilences(transaction, loud, at);
  await decideChanges(transaction, changes, (subjectId) => bySubject.get(subjectId) ?? []);
  return added;
}

async function decideChanges(
  transaction: Queryable,
  changes: readonly SubjectChange[],
  silencesOf: (subjectId: string) => readonly ActiveSilence[],
): Promise<void> {
  const organizationIds = [...new Set(changes.map(({ organizationId }) => organizationId))];
  const rules = await listRouteRules(transaction, organizationIds);
  if (rules.length === 0) return;
  const concerned = changes.filter((change) => rules.some((rule) => concerns(rule, change)));
  if (concerned.length === 0) return;
  const known = await listKnownSubjects(
    transaction,
    [...new Set(rules.map(({ targetId }) => targetId))],
    [...new Set(concerned.map(({ subjectId }) => subjectId))],
  );
  const decided = concerned.map((change) => {
    const own = rules.filter(({ organizationId }) => organizationId === change.organizationId);
    const knownOf = (targetId: string) => known.get(`${targetId} ${change.subjectId}`);
    const decisions = decideAll(own, change, knownOf, silencesOf);
    return { id: newUuid(change.at.getTime()), change, decisions };
  });
  // An update without a message to edit needs no row: there would be one for each series that joins.
  const stored = decided.filter(
    ({ change, decisions }) =>
      !isQuiet(change) || decisions.some(({ decision }) => decision.kind === 'deliver'),
  );
  const asSent = (routeId: string, change: SubjectChange): SubjectChange => {
    const rule = rules.find(({ id }) => id === routeId);
    return rule ? { ...change, change: sentAs(rule, change.change) } : change;
  };
  const deliveries: NewDelivery[] = stored.flatMap(({ id: changeId, change, decisions }) =>
    decisions.flatMap(({ routeId, targetId, decision }) =>
      decision.kind === 'deliver'
        ? [{ id: newUuid(change.at.getTime()), changeId, routeId, targetId, change: asSent(routeId, change) }]
        : [],
    ),
  );
  if (stored.length > 0) await insertChanges(transaction, stored, deliveries);
}

/**
 * Decisions of all routes. Of the routes to a target one sends a change: the first that chooses it by its name, else
 * the first that sends it at all.
 */
export function decideAll(
  rules: readonly RouteRule[],
  change: SubjectChange,
  knownOf: (targetId: string) => KnownMessages | undefined,
  silencesOf: (subjectId: string) => readonly ActiveSilence[] = NO_SILENCES,
): RouteDecision[] {
  const decided = rules.map((rule) => {
    const about = { known: knownOf(rule.targetId) ?? UNKNOWN, silences: silencesOf(change.subjectId) };
    return { rule, decision: decideDelivery(rule, change, about, change.at) };
  });
  const sending = new Map<string, RouteRule>();
  for (const { rule, decision } of decided) {
    if (decision.kind !== 'deliver') continue;
    const first = sending.get(rule.targetId);
    const isByName = (each: RouteRule) => sentAs(each, change.change) === change.change;
    if (!first || (isByName(rule) && !isByName(first))) sending.set(rule.targetId, rule);
  }
  return decided.map(({ rule, decision }) => {
    const { id: routeId, targetId } = rule;
    if (decision.kind !== 'deliver' || sending.get(targetId) === rule) return { routeId, targetId, decision };
    return { routeId, targetId, decision: { kind: 'skipped', reason: 'sent_by_other_route' } };
  });
}

function concerns(rule: RouteRule, { organizationId, projectId }: SubjectChange): boolean {
  return rule.organizationId === organizationId && (rule.projectId === null || rule.projectId === projectId);
}

function isQuiet({ change }: SubjectChange): boolean {
  return change === 'acknowledged' || change === 'updated';
}
