import type { FastifyRequest } from 'fastify';
import { addressKey, isLoopback } from '../http/client-address.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError, type ErrorKind } from '../platform/errors.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';

const BURST = 60;
const PER_SECOND = 1;
const MAX_ADDRESSES = 10_000;

/**
 * Bounds the requests without a session from an address, in this process: 60 at once and one a second afterwards.
 * Loopback clients have no limit.
 * @returns a function that throws the error
 */
export function createAddressLimit(
  clock: Clock,
  error: ErrorKind,
  sentence: string,
): (request: FastifyRequest) => void {
  const buckets = new TokenBuckets(clock, {
    capacity: BURST,
    refillPerSecond: PER_SECOND,
    maxKeys: MAX_ADDRESSES,
  });
  return (request) => {
    if (isFromThisMachine(request)) return;
    const retryAfterSeconds = buckets.take(addressKey(request.ip));
    if (retryAfterSeconds > 0) throw new ApiError(error, sentence, { retryAfterSeconds });
  };
}

/** A forwarded request comes from elsewhere, even if the proxy runs here and `TRUST_PROXY` does not name it. */
function isFromThisMachine({ ip, headers }: FastifyRequest): boolean {
  return isLoopback(ip) && headers['x-forwarded-for'] === undefined;
}
