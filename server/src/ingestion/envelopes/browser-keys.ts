import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { Observation } from '../event/to-event.ts';
import { ENVELOPE_ERRORS } from './errors.ts';
import type { EnvelopeContent } from './read-items.ts';

/** A minute's quota of a key is one token. */
const QUOTA = { capacity: 1, refillPerSecond: 1 / 60, maxKeys: 10_000 };

export interface BrowserKeys {
  /** Checks the endpoint and the origin of a request, and takes it from the quota of its key. */
  check: (request: FastifyRequest, owner: KeyOwner, isForBrowsers: boolean) => void;
  /** Takes a further event of a request from the quota. @returns false if none is left */
  takeEvent: (owner: KeyOwner) => boolean;
}

/** Creates the limits of keys that stand in pages; quotas are those in one process. */
export function createBrowserKeys(clock: Clock): BrowserKeys {
  const quotas = new TokenBuckets(clock, QUOTA);
  /** Returns 0, or in how many seconds there is enough. */
  const take = ({ keyId, browser }: KeyOwner) => (browser ? quotas.take(keyId, 1 / browser.perMinute) : 0);
  const check: BrowserKeys['check'] = ({ headers }, owner, isForBrowsers) => {
    const { browser } = owner;
    if (!browser) return;
    const { origins, perMinute } = browser;
    if (!isForBrowsers)
      throw new ApiError(
        ENVELOPE_ERRORS.browser_key_refused,
        'The key takes envelopes and reports to /security/ alone.',
      );
    if (origins.length > 0 && !origins.includes(headers.origin ?? ''))
      throw new ApiError(ENVELOPE_ERRORS.browser_key_refused, 'The key is not for pages of this origin.');
    const retryAfterSeconds = take(owner);
    if (retryAfterSeconds === 0) return;
    throw new ApiError(ENVELOPE_ERRORS.over_quota, `The key accepts ${perMinute} events a minute.`, {
      retryAfterSeconds,
    });
  };
  return { check, takeEvent: (owner) => take(owner) === 0 };
}

/** Returns the content of a request with a key that anyone can read: it runs no job. */
export function restrictContent(content: EnvelopeContent): EnvelopeContent {
  const { checkIns, unstored } = content;
  if (checkIns.length === 0) return content;
  const refused = { kind: 'monitor', reason: 'browser_key', quantity: checkIns.length };
  return { ...content, checkIns: [], unstored: [...unstored, refused] };
}

/** No error of a page is critical, since that alone opens an incident. */
export function withoutCritical(observation: Observation): Observation {
  const { severity, changed = [] } = observation;
  if (severity !== 'critical') return observation;
  return { ...observation, severity: 'error', changed: [...changed, 'severity'] };
}
