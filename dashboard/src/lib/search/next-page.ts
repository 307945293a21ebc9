/**
 * Returns the page to open after the login, from the address: a page of the dashboard, without the base path. Anything
 * that would lead elsewhere is ignored.
 */
export function readNextPage(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/')) return undefined;
  // Browsers take `//host`, `/\host` and `/<tab>/host` as another host.
  const base = 'https://dashboard.invalid';
  if (!URL.canParse(next, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(next, base);
  if (origin !== base || pathname.startsWith('//')) return undefined;
  return `${pathname}${search}${hash}`;
}
