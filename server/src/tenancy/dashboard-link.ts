/** Hint beside a link that is only a path. */
export const PATH_HINT =
  'Set PUBLIC_URL for full links. Until then, put your dashboard’s address in front of this path.';

/**
 * A link to a page of the dashboard that carries a secret. The secret is in the fragment, which browsers do not send: it is in
 * no log, no `Referer` and no request of a mail scanner, and only the page's script exchanges it, by POST.
 * @returns an absolute address with `PUBLIC_URL`, else a path: a request's `Host` is the client's to choose, so no link
 *   is built from it
 */
export function dashboardLink(
  publicUrl: URL | null,
  page: 'join' | 'reset' | 'confirm',
  secret: string,
): string {
  const path = `/app/${page}#${secret}`;
  return publicUrl ? new URL(path, publicUrl).href : path;
}
