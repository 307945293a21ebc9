import { ApiError } from '../platform/errors.ts';
import { toId } from '../platform/ids.ts';
import type { Session } from '../tenancy/session.ts';

/**
 * Checks the organization that the address of a command line names.
 * @throws ApiError `not_found` for the id of another one
 */
export function requireOrganization(session: Session, id: string): Session {
  if (id === toId('org', session.organizationId)) return session;
  throw new ApiError('not_found', 'Organization not found. Set SENTRY_ORG to the id of yours, org_….');
}
