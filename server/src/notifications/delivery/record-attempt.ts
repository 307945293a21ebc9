import { inPlainTransaction } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { newUuid } from '../../platform/ids.ts';
import type { AttemptResult } from '../channels/attempt.ts';
import { CHANNELS } from '../channels/registry.ts';
import { sealConfig } from '../targets/config.ts';
import { updateConfig } from '../targets/queries.ts';
import {
  type AttemptRecord,
  type TargetHealth,
  updateDelivered,
  updateDisabled,
  updateFailed,
  updateThreadGone,
} from './attempt-queries.ts';
import { insertFallbacks, listFallbackCandidates } from './fallback-queries.ts';
import type { WaitingRow } from './queries.ts';
import { FALLBACK_MS, MAX_FAILING_MS, MAX_REFUSALS, nextAttempt } from './retries.ts';
import type { SendContext, Stop } from './send-context.ts';

interface FinishedAttempt {
  row: WaitingRow;
  record: AttemptRecord;
  attempted: AttemptResult;
  composed: { message: { severity: WaitingRow['severity'] }; status: string };
}

export async function recordAttempt(
  sending: SendContext,
  { row, record, attempted, composed }: FinishedAttempt,
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
