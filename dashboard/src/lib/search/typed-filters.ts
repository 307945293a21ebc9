const TYPED = /(?<!\S)(type|source|release|environment):(\S+)/g;

export type TypedFilters = { [Name in 'type' | 'source' | 'release' | 'environment']?: string };

/** Takes filters such as `environment:staging` out of the words of a search. */
export function readTypedFilters(text: string): { words: string; filters: TypedFilters } {
  const found = [...text.matchAll(TYPED)];
  if (found.length === 0) return { words: text, filters: {} };
  const filters: TypedFilters = Object.fromEntries(found.map(([, name, value]) => [name, value]));
  return { words: text.replace(TYPED, '').replace(/\s+/g, ' ').trim(), filters };
}
