import { confirmedTime } from '../../platform/clock.ts';
import { newUuid } from '../../platform/ids.ts';
import { CHANNELS } from '../channels/registry.ts';
import { openConfig } from '../targets/config.ts';
import { updateDeferred } from './deferral-queries.ts';
import { describeDeferral, zoneOf } from './describe-deferral.ts';
import type { ClaimedTarget } from './lease-queries.ts';
import { planSends } from './plan-sends.ts';
import { insertDigest, updateCollapsed, updateDueTime, updateStates } from './queries.ts';
import { readSituation } from './read-situation.ts';
import type { Lease, SendContext, SendingDependencies, Stop } from './send-context.ts';
import { send } from './send-message.ts';
import type { Step } from './situation.ts';

/**
 * Maximum messages in a row: then another target has its turn, and what has arrived meanwhile is planned with the
 * rest.
 */
const MAX_SENDS = 20;
const MAX_TURN_MS = 2_000;

const DROP_REASONS = {
  nothing_to_edit: 'No message to update.',
  resolved_meanwhile: 'It was resolved before the quiet hours ended.',
};

/**
 * Sends what is due to one target, whose lease this process holds. Changes of the outbox are committed step by step,
 * so a crash repeats at most the message whose answer was not recorded.
 * @returns until when the target rests; null: it may continue at once
 */
export async function sendToTarget(
  dependencies: SendingDependencies,
  target: ClaimedTarget,
  lease: Lease,
): Promise<number | null> {
  const { pool, clock } = dependencies;
  const canEdit = canEditOf(dependencies, target);
  const { situation, lastDigest, ...read } = await readSituation(pool, target, {
    canEdit,
    nowMs: clock.now(),
    confirmedMs: confirmedTime(clock),
  });
  if (situation.waiting.length === 0) return null;
  const steps = planSends(situation);
  const sending: SendContext = { ...dependencies, ...read, target, lease };
  const startedMs = clock.now();
  let sends = 0;
  for (const step of steps) {
    const isTurnOver = sends === MAX_SENDS || (sends > 0 && clock.now() - startedMs > MAX_TURN_MS);
    if (step.kind === 'send' && isTurnOver) return null;
    if (step.kind === 'send') sends++;
    const stop = await takeStep(sending, step, canEdit ? lastDigest : null);
    if (stop.kind === 'wait') return stop.untilMs;
    if (stop.kind === 'lost') return null;
  }
  return null;
}

async function takeStep(sending: SendContext, step: Step, lastDigest: string | null): Promise<Stop> {
  const { pool, clock, target } = sending;
  const now = new Date(clock.now());
  switch (step.kind) {
    case 'hold':
      await updateStates(pool, step.ids, { state: 'held', reason: 'Held: older than 24 hours.', now });
      return { kind: 'goes_on' };
    case 'drop':
      await updateStates(pool, step.ids, { state: 'dropped', reason: DROP_REASONS[step.reason], now });
      return { kind: 'goes_on' };
    case 'defer': {
      const { by, untilMs } = step;
      const reason = describeDeferral({ by, untilMs }, zoneOf(target), now.getTime());
      await updateDeferred(pool, step.ids, { by, reason, until: new Date(untilMs) });
      return { kind: 'goes_on' };
    }
    case 'postpone':
      await updateDueTime(pool, step.ids, new Date(step.untilMs));
      return { kind: 'goes_on' };
    case 'digest': {
      const id = newUuid(now.getTime());
      const { ids, severity, routeId } = step;
      // A digest of a budget is never an edit: it comes once a day.
      const subjectId = (routeId === null ? lastDigest : null) ?? id;
      await insertDigest(pool, target, { id, subjectId, routeId, severity, ids, now });
      return { kind: 'goes_on' };
    }
    default:
      if (step.collapsed.length > 0) await updateCollapsed(pool, step.collapsed, step.delivery.id, now);
      return send(sending, step.delivery.id, step.isEdit);
  }
}

function canEditOf({ encryption, log }: SendingDependencies, target: ClaimedTarget): boolean {
  try {
    return CHANNELS[target.kind].canEdit(openConfig(encryption, target.id, target));
  } catch (error) {
    log.debug({ err: error, targetId: target.id }, 'the secrets of a target cannot be read');
    return false;
  }
}
