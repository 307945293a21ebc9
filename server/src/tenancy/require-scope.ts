import { ApiError } from '../platform/errors.ts';
import { TENANCY_ERRORS } from './errors.ts';
import type { Scope, Session } from './session.ts';

/**
 * Asserts that the request has the right. A session may do what its user may; a token needs one of the scopes
 * besides.
 * @param scopes scopes of the route; none: it is closed to tokens
 * @throws ApiError `insufficient_scope`
 */
export function requireScope(session: Session, scopes: readonly Scope[] = []): void {
  if (!session.scopes || scopes.some((scope) => session.scopes?.includes(scope))) return;
  const needed = scopes.map((scope) => `\`${scope}\``).join(' or ');
  const detail = needed
    ? `The access token needs the scope ${needed}.`
    : 'This needs a login: no access token allows it.';
  throw new ApiError(TENANCY_ERRORS.insufficient_scope, detail, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
  });
}
