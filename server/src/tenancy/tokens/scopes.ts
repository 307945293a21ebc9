import type { RouteOptions } from 'fastify';
import type { Scope } from '../session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scopes of which a token needs one; none: the route is closed to tokens. Default: by method and path. */
    scopes?: readonly Scope[];
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Paths of logins and memberships: a leaked token must not create access that outlives it. By path, so that a new
 * route below is closed as well.
 */
const CLOSED_PATHS = [
  /^\/auth\//,
  /^\/tokens(\/|$)/,
  /^\/invitations(\/|$)/,
  // Members and invitations. Reading the members is `/organizations/members`.
  /^\/organizations\/:orgId\//,
  /^\/organizations\/me\/leave$/,
  // A browser belongs to a login, and still receives messages after a token is revoked.
  /^\/web-push\//,
];

/**
 * Paths of changes that stay in effect after the token has ended: credentials of applications and jobs, targets
 * of alarms, erasures and quotas. By path, as above. A project comes with its first key, a schedule with its ping address.
 */
const ADMIN_PATHS = [
  /^\/projects$/,
  /\/api-keys(\/|$)/,
  /\/hooks(\/|$)/,
  /^\/notification-(targets|routes)(\/|$)/,
  /\/schedules$/,
  /\/ping-url(\/|$)/,
  /^\/erasures(\/|$)/,
  /\/quotas?$/,
];

/** Default scopes of a route: `read` to read, `write` for changes, `admin` for those that outlive a token. */
function scopesOf(method: string, path: string): readonly Scope[] {
  // Every program may ask whose token it has.
  if (path === '/auth/me' && SAFE_METHODS.has(method))
    return ['read', 'write', 'releases', 'silences', 'admin'];
  if (CLOSED_PATHS.some((closed) => closed.test(path))) return [];
  if (SAFE_METHODS.has(method)) return ['read'];
  return ADMIN_PATHS.some((admin) => admin.test(path)) ? ['admin'] : ['write'];
}

/** Writes the scopes of a route into its configuration, for `requireScope`, and into its OpenAPI description. */
export function declareScopes(route: RouteOptions): void {
  const scopes = route.config?.scopes ?? scopesOf(String(route.method), route.url);
  route.config = { ...route.config, scopes };
  // Alternatives: a session, or a token with one of the scopes.
  const security = [{ session: [] }, ...scopes.map((scope) => ({ token: [scope] }))];
  route.schema = { ...route.schema, security };
}
