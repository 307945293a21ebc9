/**
 * Where to go after the login, as it stands in the address: a page of the dashboard, without the base path. What
 * would lead anywhere else is left out.
 */
export function readNextPage(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/')) return undefined;
  // As browsers read it: `//host`, `/\host` and `/<tab>/host` name another host.
  const base = 'https://dashboard.invalid';
  if (!URL.canParse(next, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(next, base);
  if (origin !== base || pathname.startsWith('//')) return undefined;
  return `${pathname}${search}${hash}`;
}
