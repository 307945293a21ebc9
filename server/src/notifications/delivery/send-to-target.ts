import { inPlainTransaction, type Pool } from '../../database/database.ts';
import { type Clock, confirmedTime } from '../../platform/clock.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type Attempted, attempt } from '../channels/attempt.ts';
import type { ChannelConfig } from '../channels/base/channel.ts';
import { CHANNELS } from '../channels/registry.ts';
import type { ChannelServices } from '../channels/base/services.ts';
import type { Links } from '../messages/links.ts';
import type { SendRequest } from '../outgoing/send-request.ts';
import { openConfig, sealConfig } from '../targets/config.ts';
import { updateConfig } from '../targets/queries.ts';
import {
  type AttemptRecord,
  type TargetHealth,
  updateDelivered,
  updateDisabled,
  updateFailed,
  updateThreadGone,
} from './attempt-queries.ts';
import { takeToken } from './bucket.ts';
import { composeMessage } from './compose-message.ts';
import { updateDeferred } from './deferral-queries.ts';
import { describeDeferral, zoneOf } from './describe-deferral.ts';
import { insertFallbacks, listFallbackCandidates } from './fallback-queries.ts';
import { type ClaimedTarget, updateLease } from './lease-queries.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { planSends } from './plan-sends.ts';
import { insertDigest, updateCollapsed, updateDueTime, updateStates, type WaitingRow } from './queries.ts';
import { type ReadSituation, readSituation } from './read-situation.ts';
import { FALLBACK_MS, LEASE_MS, MAX_FAILING_MS, MAX_REFUSALS, nextAttempt } from './retries.ts';
import type { Step } from './situation.ts';

const EXTEND_AFTER_MS = 2_000;
/**
 * Maximum messages in a row: then another target has its turn, and what has arrived meanwhile is planned with the
 * rest.
 */
const MAX_SENDS = 20;
const MAX_TURN_MS = 2_000;

export interface SendingDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  metrics: DeliveryMetrics;
  encryption: Encryption;
  sendRequest: SendRequest;
  services: ChannelServices;
  links: Links;
  /** Random number from 0 to 1. */
  random: () => number;
}

interface Sending extends SendingDependencies, Pick<ReadSituation, 'rows' | 'threads' | 'routes'> {
  target: ClaimedTarget;
  lease: Lease;
}

/** Lease of a target by this process. */
export interface Lease {
  holder: string;
  /** When it was acquired or extended. */
  sinceMs: number;
}

const DROP_REASONS = {
  nothing_to_edit: 'There is no message to update.',
  resolved_meanwhile: 'It was resolved before the quiet hours ended.',
};

/** Reason to stop sending to a target before all is sent. */
type Stop = { kind: 'goes_on' } | { kind: 'lost' } | { kind: 'wait'; untilMs: number };

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
  const sending: Sending = { ...dependencies, ...read, target, lease };
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

async function takeStep(sending: Sending, step: Step, lastDigest: string | null): Promise<Stop> {
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

async function send(sending: Sending, deliveryId: string, isEdit: boolean): Promise<Stop> {
  const { pool, clock, target, lease, links, threads } = sending;
  const row = sending.rows.get(deliveryId);
  if (!row) return { kind: 'goes_on' };
  const thread = threads.get(row.subjectId) ?? null;
  const composed = await composeMessage(pool, row, {
    target,
    links,
    routes: sending.routes,
    isKnown: thread !== null,
    now: new Date(clock.now()),
    confirmed: new Date(confirmedTime(clock)),
  });
  const nowMs = clock.now();
  if (!composed) {
    const gone = {
      state: 'dropped',
      reason: 'The incident or group no longer exists.',
      now: new Date(nowMs),
    } as const;
    await updateStates(pool, [deliveryId], gone);
    return { kind: 'goes_on' };
  }
  const bucket = takeToken(target.bucketUntil?.getTime() ?? 0, CHANNELS[target.kind].rate, nowMs);
  if (bucket.waitMs > 0) return { kind: 'wait', untilMs: nowMs + bucket.waitMs };
  target.bucketUntil = new Date(bucket.untilMs);
  if (nowMs - lease.sinceMs > EXTEND_AFTER_MS) {
    const { holder } = lease;
    const until = new Date(nowMs + LEASE_MS);
    if (!(await updateLease(pool, target.id, { holder, until, bucketUntil: target.bucketUntil })))
      return { kind: 'lost' };
    lease.sinceMs = nowMs;
  }

  const previous = isEdit ? (thread?.remote ?? null) : null;
  const { message } = composed;
  const attempted = await attemptSafely(sending, { message, previous, acceptedBy: row.acceptedBy ?? [] });
  const record: AttemptRecord = {
    deliveryId,
    targetId: target.id,
    holder: lease.holder,
    now: new Date(clock.now()),
    status: attempted.status,
    reason: attempted.outcome.kind === 'delivered' ? null : attempted.outcome.reason,
    body: attempted.body,
    elapsedMs: attempted.elapsedMs,
    isEdit,
  };
  return recordAttempt(sending, { row, record, attempted, composed });
}

interface Recorded {
  row: WaitingRow;
  record: AttemptRecord;
  attempted: Attempted;
  composed: { message: { severity: WaitingRow['severity'] }; status: string };
}

async function recordAttempt(
  sending: Sending,
  { row, record, attempted, composed }: Recorded,
): Promise<Stop> {
  const { pool, clock, target, encryption, metrics, random } = sending;
  const { outcome, config } = attempted;
  if (config) {
    const stored = sealConfig(encryption, CHANNELS[target.kind], config, target.id);
    await updateConfig(pool, target.organizationId, target.id, stored);
    Object.assign(target, stored);
  }
  const nowMs = record.now.getTime();
  const attempts = row.attempts + 1;
  const retry =
    outcome.kind === 'retry' || outcome.kind === 'partial'
      ? nextAttempt({ attempts, retryAfterMs: outcome.retryAfterMs }, random())
      : null;
  const retryAt = retry && new Date(nowMs + retry.delayMs);
  if (outcome.kind === 'delivered' || outcome.kind === 'partial') {
    // One message, however many attempts its recipients took.
    if (row.acceptedBy === null) metrics.notificationsSent.inc({ kind: target.kind });
    await updateDelivered(pool, record, {
      subjectId: row.subjectId,
      remote: outcome.kind === 'delivered' ? outcome.remote : null,
      severity: composed.message.severity,
      status: composed.status,
      others: outcome.kind === 'partial' && retryAt ? { retryAt, acceptedBy: outcome.acceptedBy } : null,
    });
    return { kind: 'goes_on' };
  }
  metrics.notificationAttemptsFailed.inc({ kind: target.kind });
  if (outcome.kind === 'message_gone') {
    await updateThreadGone(pool, target.id, row.subjectId);
    return { kind: 'wait', untilMs: nowMs };
  }
  const isTargetRefused = outcome.kind === 'permanent' && outcome.isTargetRefused;
  const isInconclusive = 'isInconclusive' in outcome;
  await inPlainTransaction(pool, async (transaction) => {
    const health = await updateFailed(transaction, record, { retryAt, isTargetRefused, isInconclusive });
    const reason = health && disablingReason(health, record, confirmedTime(clock));
    if (reason) await updateDisabled(transaction, target.id, reason, record.now);
    const candidates = await listFallbackCandidates(transaction, target, {
      waitingSince: new Date(nowMs - FALLBACK_MS),
      failedSince: record.now,
    });
    const fallbacks = candidates.map((each) => ({ ...each, id: newUuid(nowMs) }));
    if (fallbacks.length > 0) await insertFallbacks(transaction, fallbacks, record.now);
  });
  return retry ? { kind: 'wait', untilMs: nowMs + retry.blockMs } : { kind: 'goes_on' };
}

function disablingReason(
  { failingSince, refusals }: TargetHealth,
  { status, reason }: AttemptRecord,
  nowMs: number,
): string | null {
  if (refusals >= MAX_REFUSALS) return `It was refused ${refusals} times in a row (${status ?? reason}).`;
  if (failingSince && nowMs - failingSince.getTime() >= MAX_FAILING_MS)
    return 'Nothing has arrived for 5 days.';
  return null;
}

/** Turns an exception of a channel into a failed attempt: otherwise it would be tried again at once, for ever. */
async function attemptSafely(
  { target, encryption, clock, services, sendRequest, log }: Sending,
  sent: Pick<Parameters<typeof attempt>[1], 'message' | 'previous' | 'acceptedBy'>,
): Promise<Attempted> {
  try {
    const config: ChannelConfig = openConfig(encryption, target.id, target);
    const { organizationId } = target;
    const given = { ...sent, config, organizationId, nowMs: clock.now(), services };
    return await attempt(CHANNELS[target.kind], given, sendRequest);
  } catch (error) {
    const reason =
      error instanceof ApiError
        ? error.message
        : 'The message could not be made: the log of the service says why.';
    if (!(error instanceof ApiError))
      log.error({ err: error, targetId: target.id }, 'a notification could not be made');
    const outcome = { kind: 'retry', reason, retryAfterMs: null } as const;
    return { outcome, status: null, body: '', elapsedMs: 0, config: null };
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
