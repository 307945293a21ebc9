import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type {
  Bucket,
  Event,
  Incident,
  IncidentChanges,
  IncidentCreation,
  IncidentDetail,
  Status,
} from '../../lib/api-types.ts';
import type { ChartWindow } from './chart-window.ts';

/*
 * What begins with `incidents` is read again with each change of an incident. The events behind one are a lot to
 * read, so they begin with `events` and are renewed at a pace of their own (`useEventRenewal`).
 */
const PAGE_LENGTH = 50;
/** Enough to see who is hit, in one answer. */
const NEWEST_EVENTS = 500;

const pathOf = (id: string) => `/incidents/${encodeURIComponent(id)}`;

/** Newest first, page by page. */
export const incidentsQuery = (status: Status | undefined, project: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['incidents', 'list', { status: status ?? null, project: project ?? null }],
    queryFn: ({ pageParam, signal }) =>
      requestPage<Incident>(
        withQuery('/incidents', {
          status,
          project_id: project,
          limit: PAGE_LENGTH,
          cursor: pageParam ?? undefined,
        }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'detail', id],
    queryFn: ({ signal }) => request<IncidentDetail>('GET', pathOf(id), { signal }),
  });

export const eventsBehindKey = (id: string) => ['events', 'behind', id];

/** The newest events behind an incident. */
export const eventsBehindQuery = (id: string) =>
  queryOptions({
    queryKey: [...eventsBehindKey(id), 'newest'],
    queryFn: ({ signal }) =>
      requestPage<Event>(withQuery(`${pathOf(id)}/events`, { limit: NEWEST_EVENTS }), signal),
  });

/** Counts of an incident's series over a window. */
export const seriesQuery = (
  { id, projectId, evidence }: Incident,
  { fromMs, toMs, intervalMs }: ChartWindow,
) =>
  queryOptions({
    queryKey: [...eventsBehindKey(id), 'counts', fromMs, toMs],
    queryFn: ({ signal }) =>
      request<Bucket[]>(
        'GET',
        withQuery('/events/histogram', {
          project_id: projectId,
          type: evidence?.series.type,
          source: evidence?.series.source ?? undefined,
          from: new Date(fromMs).toISOString(),
          to: new Date(toMs).toISOString(),
          interval: intervalMs / 1_000,
        }),
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const createIncident = (body: IncidentCreation) => request<Incident>('POST', '/incidents', { body });

export const changeIncident = (id: string, body: IncidentChanges) =>
  request<IncidentDetail>('PATCH', pathOf(id), { body });

export const addNote = (id: string, note: string) =>
  request<IncidentDetail>('POST', `${pathOf(id)}/notes`, { body: { note } });
