import { describe } from './clean/describe.ts';
import { read } from './clean/read.ts';
import type { HttpAnswer } from './http.ts';
import { parseRetryAfterMs } from './retry.ts';
import type { IngestResult, LossReason } from './types.ts';

/** Result of one attempt for one call. */
export type Outcome = { kind: 'sent'; result: IngestResult } | Failure;

export interface Failure {
  kind: 'failed';
  reason: LossReason;
  detail: string;
  /** True if the same request may succeed later. */
  retryable: boolean;
  retryAfterMs?: number | undefined;
  /** HTTP status, or the status of the line in a bulk answer. */
  status?: number | undefined;
}

/** Returns the outcome of an answer for each of the calls in its request. */
export function outcomesOf<Call>(
  answer: HttpAnswer,
  { calls, bulk }: { calls: readonly Call[]; bulk: boolean },
  nowMs: number,
): [Call, Outcome][] {
  const failure = failureOf(answer, nowMs);
  if (failure) return calls.map((call) => [call, failure]);
  const body = parseBody(answer);
  if (!bulk) return calls.map((call) => [call, resultOf(body, answer)]);
  // A bulk answer holds one result per line, in order: some may be accepted and others refused.
  const results: unknown[] = Array.isArray(body) && body.length === calls.length ? body : [];
  return calls.map((call, index) => [call, lineOutcome(results[index], answer)]);
}

/** Returns true if the server, or a proxy before it, refuses bulk requests while single ones may succeed. */
export function bulkIsUnavailable(answer: HttpAnswer): boolean {
  return answer.kind === 'answer' && [404, 405, 413].includes(answer.status);
}

function lineOutcome(line: unknown, answer: HttpAnswer): Outcome {
  const problem = read(line, 'error');
  if (problem === undefined) return resultOf(line, answer);
  const status = read(problem, 'status');
  return statusFailure(typeof status === 'number' && status >= 400 ? status : 400, problem);
}

function failureOf(answer: HttpAnswer, nowMs: number): Failure | null {
  if (answer.kind === 'timeout') return failed('timeout', 'no answer in time', true);
  if (answer.kind === 'network') return failed('network', answer.detail, true);
  if (answer.status >= 200 && answer.status < 300) return null;
  const retryAfterMs = parseRetryAfterMs(answer.retryAfter, nowMs);
  return { ...statusFailure(answer.status, parseBody(answer)), retryAfterMs };
}

function statusFailure(status: number, problem: unknown): Failure {
  const words = [`HTTP ${status}`, read(problem, 'code'), read(problem, 'detail')];
  const detail = words.filter((word) => typeof word === 'string').join(' ');
  return { ...judge(status, detail), status };
}

function judge(status: number, detail: string): Failure {
  if (status === 401 || status === 403) return failed('unauthorized', detail, false);
  if (status === 408) return failed('timeout', detail, true);
  if (status === 429) return failed('rate_limited', detail, true);
  if (status >= 500) return failed('server_error', detail, true);
  if (status >= 400) return failed('refused', detail, false);
  return failed('refused', `${detail}, a redirect, which is not followed`, false);
}

function failed(reason: LossReason, detail: string, retryable: boolean): Failure {
  return { kind: 'failed', reason, detail, retryable };
}

/** Returns the failure for an error of this library, which must not break the application. */
export function internalFailure(error: unknown): Failure {
  return failed('internal', describe(error, 300), false);
}

function resultOf(body: unknown, answer: HttpAnswer): Outcome {
  const isResult = typeof read(body, 'jobId') === 'string' && typeof read(body, 'status') === 'string';
  if (isResult) return { kind: 'sent', result: body as IngestResult };
  const status = answer.kind === 'answer' ? answer.status : 0;
  // Not repeated: the server may have stored the event.
  return failed('invalid_response', `HTTP ${status} without a result`, false);
}

function parseBody(answer: HttpAnswer): unknown {
  try {
    return answer.kind === 'answer' ? (JSON.parse(answer.text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
