import type { FastifyRequest } from 'fastify';
import { addressKey, isLoopback } from '../../http/client-address.ts';
import type { Clock } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import { ACCOUNT_ERRORS } from './errors.ts';

const BURST = 60;
const PER_SECOND = 1;
const MAX_ADDRESSES = 10_000;

/**
 * Bounds the sign-ups from an address, in this process: 60 at once and one a second afterwards. Loopback
 * clients have no limit.
 * @returns a function that throws ApiError `too_many_signups`
 */
export function createSignUpLimit(clock: Clock): (request: FastifyRequest) => void {
  const buckets = new TokenBuckets(clock, {
    capacity: BURST,
    refillPerSecond: PER_SECOND,
    maxKeys: MAX_ADDRESSES,
  });
  return (request) => {
    if (isFromThisMachine(request)) return;
    const waitSeconds = buckets.take(addressKey(request.ip));
    if (waitSeconds === 0) return;
    throw new ApiError(
      ACCOUNT_ERRORS.too_many_signups,
      'Too many sign-ups from this address. Try again soon.',
      {
        retryAfterSeconds: waitSeconds,
      },
    );
  };
}

/** A forwarded request comes from elsewhere, even if the proxy runs here and `TRUST_PROXY` does not name it. */
function isFromThisMachine({ ip, headers }: FastifyRequest): boolean {
  return isLoopback(ip) && headers['x-forwarded-for'] === undefined;
}
