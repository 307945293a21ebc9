import { queryOptions } from '@tanstack/react-query';
import { request, withQuery } from '../../../lib/api.ts';
import type { FoundRequest, ProjectRequests } from '../../../lib/api-types.ts';

/** Interval at which the service writes the counts. */
const INTERVAL_MS = 10_000;

export const requestsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'requests'],
    queryFn: ({ signal }) => request<ProjectRequests>('GET', pathOf(projectId), { signal }),
    refetchInterval: INTERVAL_MS,
  });

export const findRequestQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'requests', id],
    queryFn: ({ signal }) =>
      request<FoundRequest>('GET', withQuery(`${pathOf(projectId)}/find`, { id }), { signal }),
    enabled: id !== '',
    staleTime: 0,
  });

function pathOf(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}/requests`;
}
