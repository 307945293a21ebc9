import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, busyForMs, request, withQuery } from './api.ts';
import type {
  IncidentCounts,
  MemberRecord,
  ProjectRecord,
  ServiceRecord,
  SessionRecord,
} from './api-types.ts';
import { countInScans, type RangedFilter } from './histogram-scans.ts';

/*
 * What more than one feature reads. A query's first key says what it is about, so that a change can make
 * everything about `incidents`, say, be read again.
 */

/** What the service refuses it refuses again; what does not answer may come back. */
function mayComeBack(failures: number, error: Error): boolean {
  return !(error instanceof ApiError && error.status < 500) && failures < 3;
}

/**
 * For what the service may have no time for: it is said at once and not after further tries, and read again by itself
 * when the service said.
 * @param renewedMs how often it is read otherwise
 */
export const expensive = (renewedMs: number | false = false) => ({
  retry: (failures: number, error: Error) => busyForMs(error) === null && mayComeBack(failures, error),
  refetchInterval: ({ state }: { state: { error: Error | null } }) => busyForMs(state.error) ?? renewedMs,
});

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: mayComeBack,
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 8_000),
    },
    // What somebody does fails at once where nothing answers; it must not be done later, unasked.
    mutations: { networkMode: 'always' },
  },
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request<SessionRecord>('GET', '/auth/me', { signal }),
  staleTime: 60_000,
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => request<ProjectRecord[]>('GET', '/projects', { signal }),
  staleTime: 30_000,
});

export const membersQuery = queryOptions({
  queryKey: ['organization', 'members'],
  queryFn: ({ signal }) => request<MemberRecord[]>('GET', '/organizations/members', { signal }),
});

export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => request<ServiceRecord>('GET', '/service', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const incidentCountsQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'counts', project ?? null],
    queryFn: ({ signal }) =>
      request<IncidentCounts>('GET', withQuery('/incidents/counts', { project_id: project }), { signal }),
  });

const HISTOGRAM_RENEWED_MS = 15_000;

/** @param scans at most so many scans, each further back than the one before; several are not repeated automatically */
export const histogramQuery = (filter: RangedFilter, scans: number) =>
  queryOptions({
    queryKey: ['events', 'histogram', filter, scans],
    queryFn: ({ signal }) => countInScans(filter, scans, signal),
    placeholderData: keepPreviousData,
    ...expensive(scans === 1 && HISTOGRAM_RENEWED_MS),
  });
