import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Page, request, requestPage, type Scan, withQuery } from '../../lib/api.ts';
import type {
  EventFilterParameters,
  Group,
  Incident,
  ListedEventRecord,
  TopBy,
  TopValue,
  WholeEvent,
} from '../../lib/api-types.ts';
import { expensive } from '../../lib/queries.ts';
import { type ListedEvent, toListed } from './listed-event.ts';

const PAGE_SIZE = 200;
/** Time for which a list, of up to 100,000 rows, is kept after its page was left. */
const LIST_KEPT_MS = 60_000;

/** A page of the list, and how far its scan went if it ended before the page was full. */
export interface EventPage extends Page<ListedEvent> {
  scan: Scan | null;
}

/**
 * The list, newest first unless asked otherwise. Pages are never read again: new events are added on top by other queries, and reading
 * hundreds of pages again after a lost connection would only cost time.
 */
export const eventListQuery = (
  filter: EventFilterParameters & { order?: 'asc' | undefined },
  edition: number,
) =>
  infiniteQueryOptions({
    queryKey: ['events', 'list', filter, edition],
    queryFn: async ({ pageParam: cursor, signal }): Promise<EventPage> => {
      const { items, next, scan } = await requestPage<ListedEventRecord>(
        withQuery('/events', { ...filter, limit: PAGE_SIZE, cursor: cursor ?? undefined, payload: 'omit' }),
        signal,
      );
      return { items: items.map(toListed), next, scan };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    retry: expensive().retry,
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: LIST_KEPT_MS,
    structuralSharing: false,
  });

export const POLL_MS = 5_000;
const NOTHING_NEW: Page<ListedEventRecord> = { items: [], next: null, scan: null };

/**
 * Events received after a time: at most a page.
 * @param readAtMs when the list was read: until then nothing is new
 */
export const newEventsQuery = (filter: EventFilterParameters, from: string, readAtMs: number) =>
  queryOptions({
    queryKey: ['events', 'new', { ...filter, from }],
    queryFn: ({ signal }) =>
      requestPage<ListedEventRecord>(
        withQuery('/events', { ...filter, from, limit: PAGE_SIZE, payload: 'omit' }),
        signal,
      ),
    initialData: NOTHING_NEW,
    initialDataUpdatedAt: readAtMs,
    staleTime: POLL_MS,
    gcTime: 0,
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => request<WholeEvent>('GET', `/events/${encodeURIComponent(id)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Reads whether there has ever been an event. */
export const anyEventQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['events', 'any', project],
    queryFn: async ({ signal }) => {
      const path = withQuery('/events', { project_id: project, limit: 1, payload: 'omit' });
      return (await request<unknown[]>('GET', path, { signal })).length > 0;
    },
  });

/** Reads the most frequent values of a field, as suggestions. */
export const frequentQuery = (by: TopBy, { project_id, from, to }: EventFilterParameters) =>
  queryOptions({
    queryKey: ['events', 'frequent', by, project_id, from, to],
    queryFn: ({ signal }) =>
      request<TopValue[]>('GET', withQuery('/events/top', { by, project_id, from, to, limit: 20 }), {
        signal,
      }),
  });

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'title', id],
    queryFn: ({ signal }) => request<Incident>('GET', `/incidents/${encodeURIComponent(id)}`, { signal }),
  });

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => request<Group>('GET', `/groups/${encodeURIComponent(id)}`, { signal }),
  });
