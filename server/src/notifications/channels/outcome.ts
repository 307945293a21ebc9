import type { OutgoingAnswer, OutgoingResult } from '../outgoing/send-request.ts';

/** What a channel needs to find a message of its own again, such as `{ channel, ts }`. At most 2 kB as JSON. */
export type RemoteMessage = Record<string, string>;

/** What became of an attempt. */
export type Outcome =
  | {
      kind: 'delivered';
      /** Null: the message cannot be edited later. */
      remote: RemoteMessage | null;
    }
  | {
      kind: 'retry';
      reason: string;
      /** As the other side asks for it. */
      retryAfterMs: number | null;
      /** True if it says nothing about the target, which counts as working or failing as before. */
      isInconclusive?: true;
    }
  | {
      kind: 'permanent';
      reason: string;
      /** The target as such is refused (401, 403, 404, 410): twice in a row disables it. */
      isTargetRefused: boolean;
      isInconclusive?: true;
    }
  /** Some recipients of a target with several have it, others are tried again: the target works. */
  | { kind: 'partial'; reason: string; retryAfterMs: number | null; acceptedBy: string[] }
  /** The message to edit is gone: it is sent anew. */
  | { kind: 'message_gone'; reason: string };

const RETRY_STATUSES = new Set([408, 425, 429]);
const REFUSING_STATUSES = new Set([401, 403, 404, 410]);
/** A longer wait ends after an hour, in which the other side may have recovered. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * What an attempt without a plain success means, by HTTP alone. A channel looks at an answer with 2xx itself, since some
 * say in the body that they failed.
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
      ? `Answered ${status}: redirects are not followed, so the address has to be the last one.`
      : `Answered ${status}.`;
  return { kind: 'permanent', reason, isTargetRefused: REFUSING_STATUSES.has(status) };
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), at most an hour; null: there is none. */
export function readRetryAfter({ headers }: Pick<OutgoingAnswer, 'headers'>, nowMs: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms));
}
