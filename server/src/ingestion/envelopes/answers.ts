import { ApiError } from '../../platform/errors.ts';
import { API_KEY_ERRORS } from '../../tenancy/api-keys/errors.ts';
import { OverQuota } from '../quotas/over-quota.ts';
import { ENVELOPE_ERRORS } from './errors.ts';

/**
 * Headers of each answer, refusals included: a page of any origin sends here, and a browser shows its client nothing
 * of an answer without them.
 */
export const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After',
  // The pages of other origins that sent the request may read the answer.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Content-Type, Content-Encoding, X-Sentry-Auth, Authorization, sentry-trace, baggage',
  'access-control-max-age': '86400',
} as const;

/** Categories that a limit of events concerns; sessions and the like are only counted. */
const EVENT_CATEGORIES = 'error;default;security;feedback;log_item';
const TOO_MANY_REQUESTS = 429;
export const RATE_LIMITS = 'x-sentry-rate-limits';
const PRINTABLE = /[^\x20-\x7E]/g;

export function unknownDsn(): ApiError {
  return new ApiError(
    ENVELOPE_ERRORS.invalid_dsn,
    'The DSN is not valid: its key is unknown or revoked, or belongs to another project.',
  );
}

/** Returns the value of `X-Sentry-Rate-Limits` that stops events until a quota has something left again. */
export function limitOf({ retryAfterSeconds, scope }: OverQuota): string {
  return `${retryAfterSeconds}:${EVENT_CATEGORIES}:${scope}:over_quota`;
}

/**
 * The refusal in the form that Sentry's clients read. A bare 429, and a `Retry-After` with any status, would mute them
 * altogether, for a minute: a limit names the categories that it concerns, and nothing else does.
 */
export function toRefusal(error: ApiError): ApiError {
  if (error.kind === API_KEY_ERRORS.invalid_api_key) return toRefusal(unknownDsn());
  const { retryAfterSeconds, headers, ...extras } = error.extras;
  const categories = error.code === 'too_many_check_ins' ? 'monitor' : EVENT_CATEGORIES;
  const limit =
    error instanceof OverQuota ? limitOf(error) : `${retryAfterSeconds ?? 1}:${categories}:project`;
  return new ApiError(error.kind, error.message, {
    ...extras,
    headers: {
      ...headers,
      'x-sentry-error': error.message.replace(PRINTABLE, '?'),
      ...(error.kind.status === TOO_MANY_REQUESTS && {
        [RATE_LIMITS]: limit,
      }),
    },
  });
}
