import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from the service's own pages, or from no page at all (curl, an SDK): `Origin`,
 * where sent, has the host of the request or of the public address, and the browser does not call it cross-site.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host !== '' && (host === headers.host?.toLowerCase() || host === publicUrl?.host);
}
