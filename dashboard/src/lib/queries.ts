import { QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, request, withQuery } from './api.ts';
import type {
  IncidentCounts,
  MemberRecord,
  ProjectRecord,
  ServiceRecord,
  SessionRecord,
} from './api-types.ts';

/*
 * What more than one feature reads. A query's first key says what it is about, so that a change can make
 * everything about `incidents`, say, be read again.
 */

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the service refuses it refuses again; what does not answer may come back.
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 3,
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
