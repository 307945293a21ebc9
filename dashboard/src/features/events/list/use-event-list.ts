import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { busyForMs } from '../../../lib/api.ts';
import type { EventFilterParameters } from '../../../lib/api-types.ts';
import { type EventSearch, toEventFilter } from '../../../lib/event-search.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ListedEvent } from '../listed-event.ts';
import { eventListQuery } from '../queries.ts';

export interface EventList {
  filter: EventFilterParameters;
  rows: ListedEvent[];
  /** Nothing is known yet. */
  pending: boolean;
  /** The rows are those of the filters before. */
  outdated: boolean;
  error: Error | null;
  /** When it was read last. */
  readAtMs: number;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
  /** Reads the list anew from the top; the present rows stay until the answer arrives. */
  renew: () => void;
}

/** The rows that fit the filters, as far as they were asked for. */
export function useEventList(search: EventSearch, scope: Scope): EventList {
  const filter = useListFilter(search, scope);
  const [edition, setEdition] = useState(0);
  const list = useInfiniteQuery(eventListQuery(filter, edition));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const busyMs = busyForMs(list.error);
  // Only the page that is missing is read again: the pages before it stay as they are.
  const goOn = useEffectEvent(() => void (list.data ? list.fetchNextPage() : list.refetch()));
  useEffect(() => {
    if (busyMs === null) return undefined;
    const timer = setTimeout(() => goOn(), busyMs);
    return () => clearTimeout(timer);
  }, [busyMs, list.errorUpdatedAt]);
  return {
    filter,
    rows,
    pending: list.isPending,
    outdated: list.isPlaceholderData,
    error: list.error,
    readAtMs: list.dataUpdatedAt,
    hasMore: list.hasNextPage,
    loadingMore: list.isFetchingNextPage,
    loadMore: () => {
      if (!list.isFetching) void list.fetchNextPage();
    },
    retry: () => void list.refetch(),
    renew: () => setEdition(edition + 1),
  };
}

/**
 * The filter at the time when it was chosen: where it moved on with the clock, the whole list would be read again.
 * A range that moves has no end either, since new events come in at it.
 */
function useListFilter(search: EventSearch, scope: Scope): EventFilterParameters {
  const { event: _event, live: _live, ...filters } = search;
  const chosen = JSON.stringify([filters, scope]);
  return useMemo(() => {
    const { to, ...open } = toEventFilter(search, scope);
    return to !== undefined && scope.to ? { ...open, to } : open;
    // The text stands for the search and the scope, which are new objects at each rendering.
  }, [chosen]);
}
