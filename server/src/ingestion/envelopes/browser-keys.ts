import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { Observation } from '../event/to-event.ts';
import type { ItemCounts } from '../intake/item-counts.ts';
import { ENVELOPE_ERRORS } from './errors.ts';
import type { EnvelopeContent } from './read-items.ts';

/** A minute's quota of a key is one token. */
const QUOTA = { capacity: 1, refillPerSecond: 1 / 60, maxKeys: 10_000 };

/**
 * Returns the check of a request with a key that stands in pages: its endpoint, its origin, and the quota of the key in one process.
 * What exceeds the quota is counted.
 */
export function createBrowserCheck(
  clock: Clock,
  counts: ItemCounts,
): (request: FastifyRequest, owner: KeyOwner, isForBrowsers: boolean) => void {
  const quotas = new TokenBuckets(clock, QUOTA);
  return ({ headers }, { keyId, projectId, browser }, isForBrowsers) => {
    if (!browser) return;
    const { origins, perMinute } = browser;
    if (!isForBrowsers)
      throw new ApiError(
        ENVELOPE_ERRORS.browser_key_refused,
        'The key takes envelopes and reports to /security/ alone.',
      );
    if (origins.length > 0 && !origins.includes(headers.origin ?? ''))
      throw new ApiError(ENVELOPE_ERRORS.browser_key_refused, 'The key is not for pages of this origin.');
    const retryAfterSeconds = quotas.take(keyId, 1 / perMinute);
    if (retryAfterSeconds === 0) return;
    counts.note({ projectId, kind: 'envelope', reason: 'over_quota', quantity: 1 });
    throw new ApiError(ENVELOPE_ERRORS.over_quota, `The key accepts ${perMinute} requests a minute.`, {
      retryAfterSeconds,
    });
  };
}

/**
 * Content of a request with a key that anyone can read: no error of it is critical, since that alone opens an
 * incident, and it runs no job.
 */
export function restrictContent(content: EnvelopeContent): EnvelopeContent {
  const { observations, checkIns, unstored } = content;
  return {
    ...content,
    observations: observations.map(withoutCritical),
    checkIns: [],
    unstored:
      checkIns.length === 0
        ? unstored
        : [...unstored, { kind: 'monitor', reason: 'browser_key', quantity: checkIns.length }],
  };
}

function withoutCritical(observation: Observation): Observation {
  return observation.severity === 'critical' ? { ...observation, severity: 'error' } : observation;
}
