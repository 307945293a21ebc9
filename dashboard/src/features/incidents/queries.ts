import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type {
  Incident,
  IncidentChanges,
  IncidentCreation,
  IncidentDetail,
  IncidentGroup,
  ListedEventRecord,
  Points,
  PreviousIncident,
  Status,
  TimelineItem,
  WholeEvent,
} from '../../lib/api-types.ts';
import { expensive } from '../../lib/queries.ts';
import type { IncidentSort } from '../../lib/search/incident-search.ts';

/*
 * Queries whose key begins with `incidents` are read again with each change of an incident. The events behind one are
 * expensive to read, so their keys begin with `events` and `useEventRenewal` renews them less often.
 */
const PAGE_LENGTH = 50;
/** Number of events read to count the affected users, in one answer. */
const NEWEST_EVENTS = 500;

const POINTS_RENEWAL_MS = 30_000;
const CURRENT_RENEWAL_MS = 30_000;

const pathOf = (id: string) => `/incidents/${encodeURIComponent(id)}`;

export const requestIncidents = (parameters: Parameters<typeof withQuery>[1], signal: AbortSignal) =>
  requestPage<Incident>(withQuery('/incidents', parameters), signal);

/** The parameters of `GET /incidents`. */
export interface IncidentFilter {
  status: Status | undefined;
  project_id: string | undefined;
  q: string | undefined;
  sort: IncidentSort;
}

export const LISTS_KEY = ['incidents', 'list'];

/** Reads incidents page by page. */
export const incidentsQuery = (filter: IncidentFilter) =>
  infiniteQueryOptions({
    queryKey: [...LISTS_KEY, filter],
    queryFn: ({ pageParam, signal }) =>
      requestIncidents({ ...filter, limit: PAGE_LENGTH, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'detail', id],
    queryFn: ({ signal }) => request<IncidentDetail>('GET', pathOf(id), { signal }),
    // The current values change without a message: they fall when no more events arrive.
    refetchInterval: ({ state: { data } }) => (data?.current ? CURRENT_RENEWAL_MS : false),
  });

/** Reads the entries before those that come with the incident. They never change: newer entries come with the incident. */
export const earlierTimelineQuery = (id: string, beforeEntry: string) =>
  infiniteQueryOptions({
    queryKey: ['timeline', id, beforeEntry],
    queryFn: ({ pageParam, signal }) =>
      requestPage<TimelineItem>(
        withQuery(`${pathOf(id)}/timeline`, { limit: 100, cursor: pageParam }),
        signal,
      ),
    // A cursor is an id without its prefix.
    initialPageParam: beforeEntry.slice(beforeEntry.indexOf('_') + 1),
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const eventsBehindKey = (id: string) => ['events', 'behind', id];

/** Reads the newest events behind an incident. */
export const eventsBehindQuery = (id: string) =>
  queryOptions({
    queryKey: [...eventsBehindKey(id), 'newest'],
    queryFn: ({ signal }) =>
      requestPage<ListedEventRecord>(
        withQuery(`${pathOf(id)}/events`, { limit: NEWEST_EVENTS, payload: 'omit' }),
        signal,
      ),
    ...expensive(),
  });

/** Returns a query key that begins with `groups`: a change of a group reads it again. */
export const groupsBehindKey = (id: string) => ['groups', 'behind', id];

/** Reads the groups of the incident's events with their shares, the largest first. */
export const incidentGroupsQuery = (id: string) =>
  queryOptions({
    queryKey: groupsBehindKey(id),
    queryFn: ({ signal }) => request<IncidentGroup[]>('GET', `${pathOf(id)}/groups`, { signal }),
    ...expensive(),
  });

const PREVIOUS_SHOWN = 5;

/** Reads earlier incidents of the same cause with their notes, the newest first. */
export const previousIncidentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'previous', id],
    queryFn: ({ signal }) =>
      request<PreviousIncident[]>('GET', withQuery(`${pathOf(id)}/previous`, { limit: PREVIOUS_SHOWN }), {
        signal,
      }),
  });

/** Reads an event with its payload, which never changes. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => request<WholeEvent>('GET', `/events/${encodeURIComponent(id)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const SURROUNDING_EVENTS = 8;

/** Reads the newest events of a project in a range, for an incident without a series. */
export const newestOfProjectQuery = ({ id, projectId }: Incident, range: { from: string; to: string }) =>
  queryOptions({
    queryKey: [...eventsBehindKey(id), 'project', range],
    queryFn: async ({ signal }) => {
      const parameters = {
        project_id: projectId,
        ...range,
        limit: SURROUNDING_EVENTS,
        payload: 'omit',
      };
      return (await requestPage<ListedEventRecord>(withQuery('/events', parameters), signal)).items;
    },
    placeholderData: keepPreviousData,
    ...expensive(),
  });

/** Reads observed and expected counts around an incident; renewed until it is over, even without events. */
export const pointsQuery = ({ id, resolvedAt }: Pick<Incident, 'id' | 'resolvedAt'>) =>
  queryOptions({
    queryKey: [...eventsBehindKey(id), 'points'],
    queryFn: ({ signal }) => request<Points>('GET', `${pathOf(id)}/points`, { signal }),
    ...expensive(resolvedAt === null && POINTS_RENEWAL_MS),
  });

export const createIncident = (body: IncidentCreation) => request<Incident>('POST', '/incidents', { body });

/** @param keepalive true if the request has to outlive the page */
export const changeIncident = (id: string, body: IncidentChanges, keepalive = false) =>
  request<IncidentDetail>('PATCH', pathOf(id), { body, keepalive });

/** Undoes the last resolution. */
export const undoResolve = (id: string) => request<IncidentDetail>('POST', `${pathOf(id)}/undo-resolve`);

export const addNote = (id: string, note: string) =>
  request<IncidentDetail>('POST', `${pathOf(id)}/notes`, { body: { note } });
