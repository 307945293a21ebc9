import { useNavigate, useSearch } from '@tanstack/react-router';
import { type EventSearch, readEventSearch } from '../../../lib/event-search.ts';
import type { Scope } from '../../../lib/scope.ts';

export type SearchChanges = { [Name in keyof EventSearch]?: EventSearch[Name] | undefined } & Pick<
  Scope,
  'from' | 'to'
>;
export type ChangeSearch = (changes: SearchChanges, how?: { replace?: boolean }) => void;

export const FILTER_LABELS = {
  // Words stand in quotes instead.
  q: '',
  severity: 'severity',
  type: 'type',
  source: 'source',
  correlation_id: 'correlation',
  fingerprint: 'fingerprint',
  release: 'release',
} as const satisfies { [Name in keyof EventSearch]?: string };
export type FilterName = keyof typeof FILTER_LABELS;

/** Changes that take all filters away. */
export const NO_FILTERS: SearchChanges = {
  q: undefined,
  severity: undefined,
  type: undefined,
  source: undefined,
  correlation_id: undefined,
  fingerprint: undefined,
  release: undefined,
};

export function activeFilters(search: EventSearch): [name: FilterName, value: string][] {
  return (Object.keys(FILTER_LABELS) as FilterName[]).flatMap((name): [FilterName, string][] => {
    const value = search[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** The event search in the address, and how to change it; `undefined` removes a part. */
export function useEventSearch(): [EventSearch, ChangeSearch] {
  const search = readEventSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeSearch = (changes, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => ({ ...previous, ...changes }),
      replace,
      resetScroll: false,
    } as never);
  return [search, change];
}
