import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { type AttemptResult, attempt } from '../channels/attempt.ts';
import type { ChannelConfig } from '../channels/base/channel.ts';
import { CHANNELS } from '../channels/registry.ts';
import { openConfig } from '../targets/config.ts';
import type { AttemptRecord } from './attempt-queries.ts';
import { takeToken } from './bucket.ts';
import { composeMessage } from './compose-message.ts';
import { updateLease } from './lease-queries.ts';
import { updateStates } from './queries.ts';
import { recordAttempt } from './record-attempt.ts';
import { LEASE_MS } from './retries.ts';
import type { SendContext, Stop } from './send-context.ts';

const EXTEND_AFTER_MS = 2_000;

export async function send(sending: SendContext, deliveryId: string, isEdit: boolean): Promise<Stop> {
  const { pool, frameMapper, clock, target, lease, links, threads } = sending;
  const row = sending.rows.get(deliveryId);
  if (!row) return { kind: 'goes_on' };
  const thread = threads.get(row.subjectId) ?? null;
  const composed = await composeMessage({ pool, frameMapper }, row, {
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

/** Turns an exception of a channel into a failed attempt: otherwise it would be tried again at once, for ever. */
async function attemptSafely(
  { target, encryption, clock, services, sendRequest, log }: SendContext,
  sent: Pick<Parameters<typeof attempt>[1], 'message' | 'previous' | 'acceptedBy'>,
): Promise<AttemptResult> {
  try {
    const config: ChannelConfig = openConfig(encryption, target.id, target);
    const { organizationId } = target;
    const given = { ...sent, config, organizationId, nowMs: clock.now(), services };
    return await attempt(CHANNELS[target.kind], given, sendRequest);
  } catch (error) {
    const reason =
      error instanceof ApiError
        ? error.message
        : 'The message couldn’t be created. The service’s log says why.';
    if (!(error instanceof ApiError))
      log.error({ err: error, targetId: target.id }, 'a notification could not be made');
    const outcome = { kind: 'retry', reason, retryAfterMs: null } as const;
    return { outcome, status: null, body: '', elapsedMs: 0, config: null };
  }
}
