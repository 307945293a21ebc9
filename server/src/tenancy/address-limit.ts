import type { FastifyRequest } from 'fastify';
import { addressKey, isLoopback, networkKey } from '../http/client-address.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError, type ErrorKind } from '../platform/errors.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { TENANCY_ERRORS } from './errors.ts';

const BURST = 60;
const PER_SECOND = 1;
const MAX_ADDRESSES = 10_000;
/** Factor for an IPv6 network that one customer may have: it counts as so many addresses. */
const ADDRESSES_PER_NETWORK = 4;

/** Takes a request, or throws. */
export type AddressLimit = (request: FastifyRequest) => void;

/**
 * Limits the requests without a session from an address, in this process: 60 at once and one a second afterwards;
 * from an IPv6 network of 48 bits four times as many. Loopback clients have no limit.
 */
export function createAddressLimit(clock: Clock, error: ErrorKind, sentence: string): AddressLimit {
  const createBuckets = (factor: number) =>
    new TokenBuckets(clock, {
      capacity: factor * BURST,
      refillPerSecond: factor * PER_SECOND,
      maxKeys: MAX_ADDRESSES,
    });
  const [addresses, networks] = [createBuckets(1), createBuckets(ADDRESSES_PER_NETWORK)];
  return (request) => {
    if (isFromThisMachine(request)) return;
    const address = addressKey(request.ip);
    const network = networkKey(address);
    const retryAfterSeconds = addresses.take(address) || (network === address ? 0 : networks.take(network));
    if (retryAfterSeconds > 0) throw new ApiError(error, sentence, { retryAfterSeconds });
  };
}

/**
 * True for a client on this machine. A forwarded request comes from elsewhere, even if the proxy runs here and
 * `TRUST_PROXY` does not name it.
 */
function isFromThisMachine({ ip, headers }: FastifyRequest): boolean {
  return isLoopback(ip) && headers['x-forwarded-for'] === undefined;
}

/** Limits requests without a session that look something up by a secret or an address. */
export function createRequestLimit(clock: Clock): AddressLimit {
  return createAddressLimit(
    clock,
    TENANCY_ERRORS.too_many_requests,
    'Too many requests from this address. Try again soon.',
  );
}
