import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from the service's own pages, or from no page at all (curl, an SDK): `Origin`, where sent,
 * is that of the public address, and the browser does not call the request cross-site. Where no public address is
 * known it has the host of the request: the scheme is then the proxy's to decide.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  if (publicUrl) return new URL(origin).origin === publicUrl.origin;
  const { host } = new URL(origin);
  return host !== '' && host === headers.host?.toLowerCase();
}
