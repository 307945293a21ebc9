import type { OutgoingAnswer, OutgoingResult } from '../../outgoing/send-request.ts';

/** Data by which a channel finds its own message again, such as `{ channel, ts }`. At most 2 kB as JSON. */
export type RemoteMessage = Record<string, string>;

/** Outcome of an attempt. */
export type Outcome =
  | {
      kind: 'delivered';
      /** Reference for later edits; null: the message cannot be edited. */
      remote: RemoteMessage | null;
    }
  | {
      kind: 'retry';
      reason: string;
      /** Wait that the remote side asks for; null: it asks for none. */
      retryAfterMs: number | null;
      /** True if the outcome says nothing about the target, which keeps counting as working or failing. */
      isInconclusive?: true;
    }
  | {
      kind: 'permanent';
      reason: string;
      /** True if the target as such is refused (401, 403, 404, 410): two refusals in a row disable it. */
      isTargetRefused: boolean;
      isInconclusive?: true;
    }
  /** Some recipients of a target with several received it, and others are tried again: the target works. */
  | { kind: 'partial'; reason: string; retryAfterMs: number | null; acceptedBy: string[] }
  /** The message to edit no longer exists: it is sent as a new one. */
  | { kind: 'message_gone'; reason: string };

const RETRY_STATUSES = new Set([408, 425, 429]);
const REFUSING_STATUSES = new Set([401, 403, 404, 410]);
/** Maximum accepted wait: the remote side may have recovered after an hour. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Classifies an attempt without a plain success by HTTP alone. A channel reads the body of a 2xx answer
 * itself, since some report failures there.
 */
export function interpretResult(
  result: OutgoingResult,
  onSuccess: (answer: OutgoingAnswer) => Outcome,
  nowMs: number,
): Outcome {
  if (result.kind === 'failure') {
    if (result.cause === 'no_lookup')
      return { kind: 'retry', reason: result.detail, retryAfterMs: null, isInconclusive: true };
    const mayPass = result.cause === 'timeout' || result.cause === 'unreachable';
    return mayPass
      ? { kind: 'retry', reason: result.detail, retryAfterMs: null }
      : { kind: 'permanent', reason: result.detail, isTargetRefused: false };
  }
  const { status } = result;
  if (status >= 200 && status < 300) return onSuccess(result);
  if (RETRY_STATUSES.has(status) || status >= 500) {
    return { kind: 'retry', reason: `Answered ${status}.`, retryAfterMs: readRetryAfter(result, nowMs) };
  }
  const reason =
    status >= 300 && status < 400
      ? `Answered ${status}: redirects are not followed, so enter the final address.`
      : `Answered ${status}.`;
  return { kind: 'permanent', reason, isTargetRefused: REFUSING_STATUSES.has(status) };
}

/**
 * Reads `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3), capped at an hour; null: there is none.
 */
export function readRetryAfter({ headers }: Pick<OutgoingAnswer, 'headers'>, nowMs: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms));
}
