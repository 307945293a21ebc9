import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { Observation } from '../event/to-event.ts';
import type { Quotas } from '../quotas/quotas.ts';
import { ENVELOPE_ERRORS } from './errors.ts';
import type { EnvelopeContent } from './read-items.ts';

/**
 * Checks the endpoint and the origin of a request with a key that stands in pages, and that a quota has something left:
 * anyone can send with it, and what is refused here costs little.
 * @throws ApiError `browser_key_refused`, `over_quota`
 */
export function checkBrowserKey(
  { headers }: FastifyRequest,
  owner: KeyOwner,
  quotas: Quotas,
  isForBrowsers: boolean,
): void {
  if (!owner.browser) return;
  const { origins } = owner.browser;
  if (!isForBrowsers)
    throw new ApiError(
      ENVELOPE_ERRORS.browser_key_refused,
      'The key takes envelopes and reports to /security/ alone.',
    );
  if (origins.length > 0 && !origins.includes(headers.origin ?? ''))
    throw new ApiError(ENVELOPE_ERRORS.browser_key_refused, 'The key is not for pages of this origin.');
  const refusal = quotas.findRefusal(owner);
  if (refusal) throw refusal;
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
