import { type Call, carriesTime } from './call.ts';
import { CALL_DEADLINE_MS } from './clean/limits.ts';
import { post } from './http.ts';
import type { Settings } from './options.ts';
import { bulkIsUnavailable, type Failure, type Outcome, outcomesOf } from './outcome.ts';
import type { RequestWriter } from './requests.ts';
import { retryDelayMs } from './retry.ts';
import type { Runtime } from './runtime.ts';
import type { Batch } from './waiting-calls.ts';

export interface Delivery {
  settings: Settings;
  runtime: Runtime;
  writer: RequestWriter;
}

export type Settle = (call: Call, outcome: Outcome) => void;

/**
 * Settles the calls of a batch: attempts, waits and repeats until each was sent, was refused,
 * ran out of attempts, or reached the deadline of the oldest.
 * @returns the calls that must be sent one by one instead, which are not settled
 */
export async function deliver(batch: Batch, delivery: Delivery, settle: Settle): Promise<readonly Call[]> {
  const { settings, runtime, writer } = delivery;
  const deadlineMs = batch.calls[0].calledAtMs + CALL_DEADLINE_MS;

  for (let open: Call[] = batch.calls, retries = 0; isNonEmpty(open); ) {
    const nowMs = runtime.monotonicMs();
    if (nowMs >= deadlineMs) {
      for (const call of open) settle(call, TOO_LATE);
      break;
    }
    const request = writer.write({ calls: open, bulk: batch.bulk }, nowMs);
    const answer = await post(request, Math.min(settings.timeoutMs, deadlineMs - nowMs), runtime);
    if (batch.bulk && bulkIsUnavailable(answer)) return open;

    const outcomes = outcomesOf(answer, { calls: open, bulk: batch.bulk }, runtime.wallClockMs());
    const { timeRefused, failed } = settleDecided(outcomes, nowMs, settle);
    for (const call of timeRefused) call.timePolicy = 'never';
    open = [...timeRefused, ...failed.keys()];
    if (failed.size === 0) continue;

    const delayMs = retryDelayMs(retries, longestRetryAfterMs(failed.values()), runtime.random);
    if (retries < settings.maxRetries && runtime.monotonicMs() + delayMs < deadlineMs) {
      retries++;
      await runtime.sleep(delayMs);
    } else {
      for (const [call, failure] of failed) settle(call, afterAttempts(failure, retries + 1));
      open = timeRefused;
    }
  }
  return [];
}

interface UndecidedCalls {
  /** Calls that were refused with their time, perhaps because this machine's clock is wrong: they are sent without it. */
  timeRefused: Call[];
  /** Failed calls that may succeed later. */
  failed: Map<Call, Failure>;
}

function settleDecided(
  outcomes: readonly [Call, Outcome][],
  sentAtMs: number,
  settle: Settle,
): UndecidedCalls {
  const timeRefused: Call[] = [];
  const failed = new Map<Call, Failure>();
  for (const [call, outcome] of outcomes) {
    if (outcome.kind === 'sent') settle(call, outcome);
    else if (outcome.status === 400 && carriesTime(call, sentAtMs)) timeRefused.push(call);
    else if (outcome.retryable) failed.set(call, outcome);
    else settle(call, outcome);
  }
  return { timeRefused, failed };
}

function longestRetryAfterMs(failures: Iterable<Failure>): number | undefined {
  let longestMs: number | undefined;
  for (const { retryAfterMs } of failures) {
    if (retryAfterMs !== undefined) longestMs = Math.max(longestMs ?? 0, retryAfterMs);
  }
  return longestMs;
}

function afterAttempts(failure: Failure, attempts: number): Failure {
  return attempts === 1 ? failure : { ...failure, detail: `${failure.detail}, after ${attempts} attempts` };
}

const TOO_LATE: Failure = {
  kind: 'failed',
  reason: 'timeout',
  detail: 'it waited for too long',
  retryable: false,
};

function isNonEmpty(calls: Call[]): calls is [Call, ...Call[]] {
  return calls.length > 0;
}
