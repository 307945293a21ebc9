import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { Group, GroupCounts, GroupDetail, Release, TopValue } from '../../lib/api-types.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { type GroupSearch, toGroupQuery } from '../../lib/group-search.ts';
import { expensive } from '../../lib/queries.ts';
import type { Scope } from '../../lib/scope.ts';

/* Frames of groups change what these queries have read (`use-group-news.ts`). */

const PAGE_LENGTH = 50;
const COUNTS_RENEWED_MS = 60_000;

export const GROUP_LISTS_KEY = ['groups', 'list'] as const;

/** Page by page, the largest value of the order first. */
export const groupsQuery = (search: GroupSearch, scope: Scope) => {
  const parameters = toGroupQuery(search, scope);
  return infiniteQueryOptions({
    queryKey: [...GROUP_LISTS_KEY, parameters],
    queryFn: ({ pageParam, signal }) =>
      requestPage<Group>(
        withQuery('/groups', { ...parameters, limit: PAGE_LENGTH, cursor: pageParam ?? undefined }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    ...expensive(),
  });
};

/** The events of a page of groups over the last 24 hours. */
export const sparklinesQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ['groups', 'counts', 'hour', ids],
    queryFn: ({ signal }) =>
      request<GroupCounts>('GET', withQuery('/groups/counts', { ids: ids.join(','), unit: 'hour' }), {
        signal,
      }),
    enabled: ids.length > 0,
    staleTime: COUNTS_RENEWED_MS,
    refetchInterval: COUNTS_RENEWED_MS,
  });

/** Whether there is any group at all, in any state. */
export const anyGroupQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['groups', 'any', project ?? null],
    queryFn: async ({ signal }) =>
      (await requestPage<Group>(withQuery('/groups', { project_id: project, limit: 1 }), signal)).items
        .length > 0,
  });

/** The keys of all that the page of a group has read begin so. */
export const groupKey = (id: string) => ['groups', 'detail', id];

const SUGGESTIONS = 20;
const SUGGESTED_FROM_DAYS = 7;

/** The newest releases, as suggestions. */
export const newestReleasesQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['releases', 'newest', project ?? null],
    queryFn: async ({ signal }) => {
      const path = withQuery('/releases', { project_id: project, limit: SUGGESTIONS });
      const { items } = await requestPage<Release>(path, signal);
      return [...new Set(items.map(({ version }) => version))];
    },
  });

/** The most frequent values of a field of the last week, as suggestions. */
export const frequentQuery = (by: 'source' | 'type', project: string | undefined) =>
  queryOptions({
    queryKey: ['groups', 'frequent', by, project ?? null],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - SUGGESTED_FROM_DAYS * DAY_MS).toISOString();
      const path = withQuery('/events/top', { by, project_id: project, from, limit: SUGGESTIONS });
      const values = await request<TopValue[]>('GET', path, { signal });
      return values.flatMap(({ value }) => value ?? []);
    },
  });

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: groupKey(id),
    queryFn: ({ signal }) => request<GroupDetail>('GET', `/groups/${encodeURIComponent(id)}`, { signal }),
  });
