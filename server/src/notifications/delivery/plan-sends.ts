import { SEVERITIES } from '../../events/severities.ts';
import { heldUntil } from '../../platform/stored-times.ts';
import { boundStorm, collapsedOf, WINDOW_MS } from './bound-storm.ts';
import { deferMessages, isCriticalOpening } from './defer-messages.ts';
import { HOLD_MS } from './retries.ts';
import type { Message, Situation, Step, WaitingDelivery } from './situation.ts';

/**
 * Plans what to do for a target now. Level-triggered: several changes of a subject become one message, which
 * describes the state at the time of sending. Bounded: a storm becomes digests. Messages that are not due are left
 * out, unless another one includes them. Incidents that open at severity critical or reach it come first. An edit
 * makes no sound: quiet hours and budgets apply to new messages only.
 */
export function planSends(situation: Situation): Step[] {
  const { waiting, threads, recent, canEdit, nowMs, confirmedMs } = situation;
  const steps: Step[] = [];
  const isStale = (each: WaitingDelivery) => each.attempts === 0 && waitsSince(each) < confirmedMs - HOLD_MS;
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
  // Before edits and digests too: each may wait for the answer of the previous one.
  const isUrgent = (step: Step) => step.kind === 'send' && isCriticalOpening(step.delivery);
  return [...all.filter(isUrgent), ...all.filter((step) => !isUrgent(step))];
}

/** A deferred message has waited since the time that it was deferred to. */
function waitsSince({ createdMs, dueMs, deferredBy }: WaitingDelivery): number {
  return deferredBy === null ? createdMs : Math.max(createdMs, dueMs);
}

function isLoud({ change }: WaitingDelivery): boolean {
  return change !== 'updated' && change !== 'acknowledged';
}

function rank({ severity }: WaitingDelivery): number {
  return SEVERITIES.indexOf(severity);
}

function groupBySubject(waiting: readonly WaitingDelivery[]): WaitingDelivery[][] {
  const groups = new Map<string, WaitingDelivery[]>();
  for (const each of waiting) {
    const group = groups.get(each.subjectId);
    if (group) group.push(each);
    else groups.set(each.subjectId, [each]);
  }
  return [...groups.values()];
}
