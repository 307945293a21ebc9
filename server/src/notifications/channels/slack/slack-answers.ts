import { readObject } from '../base/json-request.ts';
import type { Outcome } from '../base/outcome.ts';

/** Transient errors of `chat.postMessage` and `chat.update`. */
const PASSING = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);
/** Errors that refuse the app or the channel as such. */
const REFUSING = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_expired',
  'token_revoked',
  'missing_scope',
  'channel_not_found',
  'not_in_channel',
  'is_archived',
]);
/** Errors of a message that no longer exists, or is too old to update. */
const GONE = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/** Interprets an answer of the Web API with status 200. */
export function interpretSlackAnswer(answer: { body: string }): Outcome {
  const { ok, error, channel, ts } = readObject(answer);
  if (ok === true) {
    const isKnown = typeof channel === 'string' && typeof ts === 'string';
    return { kind: 'delivered', remote: isKnown ? { channel, ts } : null };
  }
  const code = typeof error === 'string' ? error.slice(0, 100) : 'no reason';
  const reason = `Slack answered “${code}”.`;
  if (GONE.has(code)) return { kind: 'message_gone', reason };
  if (PASSING.has(code)) return { kind: 'retry', reason, retryAfterMs: null };
  return { kind: 'permanent', reason, isTargetRefused: REFUSING.has(code) };
}
