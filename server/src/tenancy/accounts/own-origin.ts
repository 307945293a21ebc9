import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

/**
 * True if a page of another site has made the request. A browser adds cookies to such a request and never a bearer
 * token, so one that is authenticated by a token and carries no cookie needs no check.
 */
export function isCrossOrigin({ session, headers }: FastifyRequest, publicUrl: URL | null): boolean {
  if (session?.scopes && headers.cookie === undefined) return false;
  return !isOwnOrigin(headers, publicUrl);
}

/**
 * True if a request comes from the service's own pages, or from no page at all (curl, an SDK): `Origin`, if sent, is
 * that of the public address, and the browser does not call the request cross-site. If no public address is known, it
 * has the host of the request: the scheme is then the proxy's to decide.
 */
function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  if (publicUrl) return new URL(origin).origin === publicUrl.origin;
  const { host } = new URL(origin);
  return host !== '' && host === headers.host?.toLowerCase();
}
