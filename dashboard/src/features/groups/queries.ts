import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type {
  Group,
  GroupCounts,
  GroupDetail,
  GroupHistoryRecord,
  GroupIncidentRecord,
  GroupPatch,
  GroupReleaseRecord,
  ListedEventRecord,
  Release,
  SilenceRecord,
  SilenceValues,
  TopValue,
  WholeEvent,
} from '../../lib/api-types.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { expensive } from '../../lib/queries.ts';
import type { Scope } from '../../lib/scope.ts';
import { type GroupSearch, toGroupQuery } from '../../lib/search/group-search.ts';

/* Group messages of the WebSocket update the data of these queries (`use-group-news.ts`). */

const PAGE_LENGTH = 50;
const COUNTS_RENEWED_MS = 60_000;
const HISTORY_LENGTH = 20;
const KEYS_KEPT_MS = 30_000;

export const GROUP_LISTS_KEY = ['groups', 'list'] as const;

/** Reads groups page by page, the largest value of the order first. */
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

export type CountUnit = 'minute' | 'hour' | 'day';

/** Reads the exact counts of groups over the last 60 minutes, 24 hours or 30 days. */
export const countsQuery = (ids: string[], unit: CountUnit) =>
  queryOptions({
    queryKey: ['groups', 'counts', unit, ids],
    queryFn: ({ signal }) =>
      request<GroupCounts>('GET', withQuery('/groups/counts', { ids: ids.join(','), unit }), { signal }),
    enabled: ids.length > 0,
    staleTime: COUNTS_RENEWED_MS,
    refetchInterval: COUNTS_RENEWED_MS,
    placeholderData: keepPreviousData,
  });

export const silenceGroup = ({ id, projectId }: Group, until: string): Promise<SilenceRecord> =>
  request('POST', '/silences', { body: { projectId, groupId: id, until } satisfies SilenceValues });

export const endSilence = (id: string): Promise<SilenceRecord> =>
  request('DELETE', `/silences/${encodeURIComponent(id)}`);

/** Reads whether there is any group, in any state. */
export const anyGroupQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['groups', 'any', project ?? null],
    queryFn: async ({ signal }) =>
      (await requestPage<Group>(withQuery('/groups', { project_id: project, limit: 1 }), signal)).items
        .length > 0,
  });

const SUGGESTIONS = 20;
const SUGGESTED_FROM_DAYS = 7;

/** Reads the newest releases, as suggestions. */
export const newestReleasesQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['releases', 'newest', project ?? null],
    queryFn: async ({ signal }) => {
      const path = withQuery('/releases', { project_id: project, limit: SUGGESTIONS });
      const { items } = await requestPage<Release>(path, signal);
      return [...new Set(items.map(({ version }) => version))];
    },
  });

/** Reads the most frequent values of a field of the last week, as suggestions. */
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

/** Returns the prefix of the query keys of a group's page. */
export const groupKey = (id: string) => ['groups', 'detail', id];

const pathOf = (id: string) => `/groups/${encodeURIComponent(id)}`;

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: [...groupKey(id), 'group'],
    queryFn: ({ signal }) => request<GroupDetail>('GET', pathOf(id), { signal }),
  });

/** Reads the group with a key; null if there is none. */
export const keyedGroupQuery = (key: string) =>
  queryOptions({
    queryKey: ['groups', 'key', key.toUpperCase()],
    queryFn: async ({ signal }) =>
      (await requestPage<Group>(withQuery('/groups', { key }), signal)).items[0] ?? null,
    staleTime: KEYS_KEPT_MS,
  });

/** Position of an event: at an end, or beside another event. */
export type EventPlace = 'newest' | 'oldest' | { after: string } | { before: string };

/** Reads one event of a group; null if there is none at this position. */
export const groupEventQuery = (id: string, place: EventPlace) =>
  queryOptions({
    queryKey: [...groupKey(id), 'event', place],
    queryFn: async ({ signal }) => {
      const [cursor, order] =
        typeof place === 'string'
          ? [undefined, place === 'oldest' ? 'asc' : 'desc']
          : 'after' in place
            ? [place.after, 'asc']
            : [place.before, 'desc'];
      const parameters = { limit: 1, order, cursor: cursor?.slice('evt_'.length), payload: 'omit' };
      const address = withQuery(`${pathOf(id)}/events`, parameters);
      const { items } = await requestPage<ListedEventRecord>(address, signal);
      // An event read alone has its frames in the sources.
      return items[0]
        ? request<WholeEvent>('GET', `/events/${encodeURIComponent(items[0].id)}`, { signal })
        : null;
    },
    placeholderData: keepPreviousData,
    ...expensive(),
  });

/** Number of events read to count the affected users, in one answer. */
const NEWEST_EVENTS = 500;

export const newestEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...groupKey(id), 'newest events'],
    queryFn: ({ signal }) =>
      requestPage<ListedEventRecord>(
        withQuery(`${pathOf(id)}/events`, { limit: NEWEST_EVENTS, payload: 'omit' }),
        signal,
      ),
    ...expensive(),
  });

/** Number of events read of each group, enough for a short list of the newest of several. */
const SHORT_LENGTH = 20;

export const shortEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...groupKey(id), 'short events'],
    queryFn: async ({ signal }) => {
      const path = withQuery(`${pathOf(id)}/events`, { limit: SHORT_LENGTH, payload: 'omit' });
      return (await requestPage<ListedEventRecord>(path, signal)).items;
    },
    ...expensive(),
  });

export const groupReleasesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...groupKey(id), 'releases'],
    queryFn: ({ pageParam, signal }) =>
      requestPage<GroupReleaseRecord>(
        withQuery(`${pathOf(id)}/releases`, { cursor: pageParam ?? undefined }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    ...expensive(),
  });

export const groupIncidentsQuery = (id: string) =>
  queryOptions({
    // Begins with `incidents`: a change of an incident reads it again.
    queryKey: ['incidents', 'of group', id],
    queryFn: ({ signal }) => request<GroupIncidentRecord[]>('GET', `${pathOf(id)}/incidents`, { signal }),
    ...expensive(),
  });

export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...groupKey(id), 'history'],
    queryFn: ({ pageParam, signal }) =>
      requestPage<GroupHistoryRecord>(
        withQuery(`${pathOf(id)}/history`, { limit: HISTORY_LENGTH, cursor: pageParam ?? undefined }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** Changes all of the groups or none. @param keepalive true if the request has to outlive the page */
export const changeGroups = (ids: readonly string[], patch: GroupPatch, keepalive = false) =>
  request<Group[]>('PATCH', '/groups', { body: { ids, ...patch }, keepalive });

export const mergeGroups = (id: string, ids: readonly string[]) =>
  request<GroupDetail>('POST', `${pathOf(id)}/merge`, { body: { ids } });

/** Separates a merged group again. */
export const separateGroup = (id: string, mergedId: string) =>
  request<GroupDetail>('DELETE', `${pathOf(id)}/merged/${encodeURIComponent(mergedId)}`);
