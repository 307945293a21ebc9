import { useNavigate, useSearch } from '@tanstack/react-router';
import { type EventSearch, readEventSearch } from '../../../lib/search/event-search.ts';
import { type SearchChanges, withoutFilters } from './filter.ts';

interface HowToChange {
  /** True to add no step to the history. */
  replace?: boolean;
  /** True to replace all present filters. */
  alone?: boolean;
}

export type ChangeSearch = (changes: SearchChanges, how?: HowToChange) => void;

/** The event search in the address, and how to change it; `undefined` removes a part. */
export function useEventSearch(): [EventSearch, ChangeSearch] {
  const search = readEventSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeSearch = (changes, { replace = false, alone = false } = {}) =>
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => ({
        ...previous,
        ...(alone && withoutFilters(previous)),
        ...changes,
      }),
      replace,
      resetScroll: false,
    } as never);
  return [search, change];
}
