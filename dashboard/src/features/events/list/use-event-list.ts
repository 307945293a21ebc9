import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { busyForMs } from '../../../lib/api.ts';
import type { EventFilterParameters } from '../../../lib/api-types.ts';
import type { Scope } from '../../../lib/scope.ts';
import { type EventSearch, toEventFilter } from '../../../lib/search/event-search.ts';
import type { ListedEvent } from '../listed-event.ts';
import { eventListQuery } from '../queries.ts';

/** Maximum pages of a search that are scanned automatically: some seconds, and up to a million events. */
const SCANS_AT_ONCE = 10;

export interface EventList {
  filter: EventFilterParameters;
  rows: ListedEvent[];
  /** True until the first answer. */
  pending: boolean;
  /** True while the rows are those of the previous filters. */
  outdated: boolean;
  error: Error | null;
  /** True if what has failed is read again automatically. */
  isRepeated: boolean;
  /** Time of the last answer. */
  readAtMs: number;
  hasMore: boolean;
  loadingMore: boolean;
  /** True while anything of the list is read, during which it takes no request for more. */
  reading: boolean;
  loadMore: () => void;
  /** Time at which a search with few results has stopped, and how to continue it; null if it is complete. */
  lookedTo: { timeMs: number; isForward: boolean; lookFurther: () => void } | null;
  retry: () => void;
  /** Reads the list again from the top; the present rows stay until the answer arrives. */
  renew: () => void;
}

/** Returns the rows that match the filters, page by page. */
export function useEventList(search: EventSearch, scope: Scope): EventList {
  const filter = useListFilter(search, scope);
  const [edition, setEdition] = useState(0);
  const { order } = search;
  const list = useInfiniteQuery(eventListQuery({ ...filter, order }, edition));
  const [asked, setAsked] = useState({ filter, times: 1 });
  const allowed = SCANS_AT_ONCE * (asked.filter === filter ? asked.times : 1);
  const scans = list.data?.pages.filter(({ scan }) => scan !== null) ?? [];
  const edge = scans.at(-1)?.scan;
  const stopped = edge && list.hasNextPage && scans.length >= allowed;
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const busyMs = busyForMs(list.error);
  // Reads only the missing page again: the pages before it stay.
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
    isRepeated: busyMs !== null,
    readAtMs: list.dataUpdatedAt,
    hasMore: list.hasNextPage,
    loadingMore: list.isFetchingNextPage,
    reading: list.isFetching,
    loadMore: () => {
      if (!list.isFetching && !stopped) void list.fetchNextPage();
    },
    lookedTo: stopped
      ? {
          timeMs: edge.fromMs,
          isForward: order === 'asc',
          lookFurther: () => {
            setAsked({ filter, times: (asked.filter === filter ? asked.times : 1) + 1 });
            void list.fetchNextPage();
          },
        }
      : null,
    retry: () => void list.refetch(),
    renew: () => setEdition(edition + 1),
  };
}

/**
 * Returns the filter as of when it was chosen: if it moved with the clock, the whole list would be read again.
 * A moving range has no end, since new events arrive there.
 */
function useListFilter(search: EventSearch, scope: Scope): EventFilterParameters {
  const { event: _event, live: _live, ...filters } = search;
  const chosen = JSON.stringify([filters, scope]);
  return useMemo(() => {
    const { to, ...open } = toEventFilter(search, scope);
    return to !== undefined && scope.to ? { ...open, to } : open;
    // `chosen` represents the search and the scope, which are new objects at each rendering.
  }, [chosen]);
}
