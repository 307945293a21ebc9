import type { Queryable } from '../../database/database.ts';
import { newUuid } from '../../platform/ids.ts';
import {
  type ActiveSilence,
  type Decision,
  decideDelivery,
  type Known,
  type RouteRule,
  type SubjectChange,
} from './decide-delivery.ts';
import { insertChanges, listKnownSubjects, listRouteRules, type NewDelivery } from './queries.ts';

/** What a route decided about a change, as it is stored. */
export interface RouteDecision {
  routeId: string;
  targetId: string;
  decision: Decision;
}

const UNKNOWN: Known = { hasMessage: false, hasEditable: false };
const NO_SILENCES: readonly ActiveSilence[] = [];

/**
 * Puts changes into the outbox, in the transaction that makes them: what is committed is delivered, and nothing else.
 * Without routes it is one look into an index. Never called by a migration, a restore or a backfill, so that none of them
 * notifies of the past.
 */
export async function enqueueChanges(
  transaction: Queryable,
  changes: readonly SubjectChange[],
): Promise<void> {
  if (changes.length === 0) return;
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
    const decisions = decideAll(own, change, (targetId) => known.get(`${targetId} ${change.subjectId}`));
    return { id: newUuid(change.at.getTime()), change, decisions };
  });
  // What brings nothing up to date needs no row: it would be one for each series that joins.
  const stored = decided.filter(
    ({ change, decisions }) =>
      !isQuiet(change) || decisions.some(({ decision }) => decision.kind === 'deliver'),
  );
  const deliveries: NewDelivery[] = stored.flatMap(({ id: changeId, change, decisions }) =>
    decisions.flatMap(({ routeId, targetId, decision }) =>
      decision.kind === 'deliver'
        ? [{ id: newUuid(change.at.getTime()), changeId, routeId, targetId, change }]
        : [],
    ),
  );
  if (stored.length > 0) await insertChanges(transaction, stored, deliveries);
}

/** What each route decides, the first of a target before the others. */
export function decideAll(
  rules: readonly RouteRule[],
  change: SubjectChange,
  knownOf: (targetId: string) => Known | undefined,
): RouteDecision[] {
  const sent = new Set<string>();
  return rules.map((rule) => {
    const { id: routeId, targetId } = rule;
    const about = { known: knownOf(targetId) ?? UNKNOWN, silences: NO_SILENCES };
    const decision = decideDelivery(rule, change, about, change.at);
    if (decision.kind !== 'deliver') return { routeId, targetId, decision };
    if (sent.has(targetId))
      return { routeId, targetId, decision: { kind: 'skipped', reason: 'sent_by_other_route' } };
    sent.add(targetId);
    return { routeId, targetId, decision };
  });
}

function concerns(rule: RouteRule, { organizationId, projectId }: SubjectChange): boolean {
  return rule.organizationId === organizationId && (rule.projectId === null || rule.projectId === projectId);
}

function isQuiet({ change }: SubjectChange): boolean {
  return change === 'acknowledged' || change === 'updated';
}
