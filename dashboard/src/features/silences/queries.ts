import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { IncidentGroup, SilenceRecord, SilenceValues } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import type { SilenceSearch } from '../../lib/search/silence-search.ts';

/** Renewal interval: silences end by themselves and by other members. */
const RENEWED_MS = 30_000;

/** Reads the active silences that cover an incident or a group. */
export const coveringQuery = (id: string) =>
  queryOptions({
    queryKey: ['silences', 'covering', id],
    queryFn: ({ signal }) =>
      request<SilenceRecord[]>('GET', withQuery('/silences', { covers: id }), { signal }),
    refetchInterval: RENEWED_MS,
  });

export const silencesQuery = ({ state = 'active' }: SilenceSearch, project: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['silences', 'list', state, project ?? null],
    queryFn: ({ pageParam, signal }) =>
      requestPage<SilenceRecord>(
        withQuery('/silences', { state, project_id: project, cursor: pageParam }),
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: RENEWED_MS,
  });

/** Reads the groups of an incident, the largest first. */
export const groupsOfQuery = (incidentId: string) =>
  queryOptions({
    queryKey: ['groups', 'behind', incidentId],
    queryFn: ({ signal }) =>
      request<IncidentGroup[]>('GET', `/incidents/${encodeURIComponent(incidentId)}/groups`, { signal }),
  });

export function createSilence(body: SilenceValues): Promise<SilenceRecord> {
  return request('POST', '/silences', { body });
}

export function endSilence(id: string): Promise<SilenceRecord> {
  return request('DELETE', `/silences/${encodeURIComponent(id)}`);
}

/** Reads silences again. Timelines, which mention silences, are updated by messages of their incidents. */
export function readSilencesAgain(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['silences'] });
}
