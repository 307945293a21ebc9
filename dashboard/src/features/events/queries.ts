import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Page, request, requestPage, withQuery } from '../../lib/api.ts';
import type { Bucket, Event, EventFilterParameters, TopBy, TopValue } from '../../lib/api-types.ts';
import { type ListedEvent, toListed } from './listed-event.ts';

const PAGE_SIZE = 200;
/** Of these pages the payloads are kept, so that moving through them waits for nothing. */
const WHOLE_PAGES = 10;
/** A list of 100,000 rows is not kept for long after somebody left it. */
const LIST_KEPT_MS = 60_000;

/**
 * The list, from the newest on. What was read stays as it is: what is new comes on top by other ways, and reading
 * hundreds of pages again because a connection was lost would help nobody.
 */
export const eventListQuery = (filter: EventFilterParameters, edition: number) =>
  infiniteQueryOptions({
    queryKey: ['events', 'list', filter, edition],
    queryFn: async ({ pageParam: { cursor, whole }, signal }): Promise<Page<ListedEvent>> => {
      const { items, next } = await requestPage<Event>(
        withQuery('/events', { ...filter, limit: PAGE_SIZE, cursor: cursor ?? undefined }),
        signal,
      );
      return { items: items.map((event) => toListed(event, whole)), next };
    },
    initialPageParam: { cursor: null as string | null, whole: true },
    getNextPageParam: ({ next }, pages) =>
      next === null ? null : { cursor: next, whole: pages.length < WHOLE_PAGES },
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: LIST_KEPT_MS,
    structuralSharing: false,
  });

export const LOOK_MS = 5_000;
const NOTHING_NEW: Page<Event> = { items: [], next: null };

/**
 * What came in after a time: at most a page of it.
 * @param readAtMs when the list was read: until then nothing is new
 */
export const newEventsQuery = (filter: EventFilterParameters, from: string, readAtMs: number) =>
  queryOptions({
    queryKey: ['events', 'new', { ...filter, from }],
    queryFn: ({ signal }) =>
      requestPage<Event>(withQuery('/events', { ...filter, from, limit: PAGE_SIZE }), signal),
    initialData: NOTHING_NEW,
    initialDataUpdatedAt: readAtMs,
    staleTime: LOOK_MS,
    gcTime: 0,
  });

const HISTOGRAM_RENEWED_MS = 15_000;

export const histogramQuery = (filter: EventFilterParameters) =>
  queryOptions({
    queryKey: ['events', 'histogram', filter],
    queryFn: ({ signal }) => request<Bucket[]>('GET', withQuery('/events/histogram', filter), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: HISTOGRAM_RENEWED_MS,
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => request<Event>('GET', `/events/${encodeURIComponent(id)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether there has ever been an event. */
export const anyEventQuery = queryOptions({
  queryKey: ['events', 'any'],
  queryFn: async ({ signal }) =>
    (await request<Event[]>('GET', withQuery('/events', { limit: 1 }), { signal })).length > 0,
});

/** The most frequent values of a field, as suggestions. */
export const frequentQuery = (by: TopBy, { project_id, from, to }: EventFilterParameters) =>
  queryOptions({
    queryKey: ['events', 'frequent', by, project_id, from, to],
    queryFn: ({ signal }) =>
      request<TopValue[]>('GET', withQuery('/events/top', { by, project_id, from, to, limit: 20 }), {
        signal,
      }),
  });
