import { SEVERITIES } from '../../events/severities.ts';
import { MIN_DIGEST_GAP_MS } from './digest-time.ts';
import type { Deferral, Message, Situation, Step, WaitingDelivery } from './situation.ts';

/**
 * Takes out the messages that quiet hours or a budget defer. Quiet hours hold messages below their severity until
 * they end; what was resolved meanwhile is dropped if the target never received anything about it. A budget lets
 * through as many messages as are left of its seven days, and an opening of severity critical always; the rest is
 * gathered in one digest a day.
 * @param messages the worst first
 */
export function deferMessages(
  messages: readonly Message[],
  situation: Pick<Situation, 'quiet' | 'budgets' | 'resolved' | 'threads' | 'nowMs'>,
): { sent: Message[]; steps: Step[] } {
  const { quiet, budgets, resolved, threads, nowMs } = situation;
  const steps: Step[] = [];
  const sent: Message[] = [];
  const beyond = new Map<string, Message[]>();
  const left = new Map([...budgets].map(([id, { maxPerWeek, used }]) => [id, maxPerWeek - used]));
  for (const message of messages) {
    const { delivery, group } = message;
    const { routeId, subjectId } = delivery;
    const defer = (by: Deferral, untilMs: number) =>
      void steps.push({ kind: 'defer', by, untilMs, ids: idsOf(message) });
    const budgetedUntilMs = latestDue(group, 'budget');
    if (quiet && SEVERITIES.indexOf(delivery.severity) < SEVERITIES.indexOf(quiet.minSeverity)) {
      // A message that waits for a digest still does afterwards.
      if (budgetedUntilMs === null) defer('quiet_hours', quiet.untilMs);
      else defer('budget', Math.max(budgetedUntilMs, quiet.untilMs));
      continue;
    }
    const wasQuiet = latestDue(group, 'quiet_hours') !== null;
    if (wasQuiet && resolved.has(subjectId) && !threads.has(subjectId)) {
      steps.push({ kind: 'drop', ids: idsOf(message), reason: 'resolved_meanwhile' });
      continue;
    }
    const budget = budgets.get(routeId ?? '');
    const isBounded = delivery.subjectKind !== 'digest' && delivery.attempts === 0;
    if (!budget || routeId === null || !isBounded) {
      sent.push(message);
      continue;
    }
    const room = left.get(routeId) ?? 0;
    if (isCriticalOpening(delivery) || (budgetedUntilMs === null && room > 0)) {
      left.set(routeId, room - 1);
      sent.push(message);
    } else if (budgetedUntilMs === null) defer('budget', budget.nextDigestMs);
    else if (budgetedUntilMs > nowMs) defer('budget', budgetedUntilMs);
    else if (budget.lastDigestMs !== null && nowMs - budget.lastDigestMs < MIN_DIGEST_GAP_MS)
      defer('budget', budget.nextDigestMs);
    else beyond.set(routeId, [...(beyond.get(routeId) ?? []), message]);
  }
  for (const [routeId, told] of beyond) {
    const severity = told[0]?.delivery.severity ?? 'info';
    steps.push({ kind: 'digest', ids: told.flatMap(idsOf), severity, routeId });
  }
  return { sent, steps };
}

/** True if an incident opens at severity critical or reaches it. */
export function isCriticalOpening({
  severity,
  subjectKind,
  change,
}: Pick<WaitingDelivery, 'severity' | 'subjectKind' | 'change'>): boolean {
  const isIncident = subjectKind === 'incident' || subjectKind === 'schedule';
  return severity === 'critical' && isIncident && change !== 'resolved';
}

/** Latest due time of a subject's deliveries that were deferred for this reason; null: there are none. */
function latestDue(group: readonly WaitingDelivery[], by: Deferral): number | null {
  return group
    .filter(({ deferredBy }) => deferredBy === by)
    .reduce<number | null>((latest, { dueMs }) => Math.max(latest ?? dueMs, dueMs), null);
}

function idsOf({ group }: Message): string[] {
  return group.map(({ id }) => id);
}
