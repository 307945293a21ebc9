import { queryOptions } from '@tanstack/react-query';
import { MAX_FILTER_VALUE_LENGTH } from '../../../../server/src/events/limits.ts';
import { requestPage, requestScanned, type Scan, withQuery } from '../api.ts';
import type { CorrelationKey, Group } from '../api-types.ts';
import { MINUTE_MS } from '../durations.ts';
import { formatCount, formatMinute } from '../format.ts';
import { expensive } from '../queries.ts';
import { boundsOf, type Scope } from '../scope.ts';
import type { EventSearch } from './event-search.ts';

/* Other matches of the words of a search: ids in correlations, and titles of groups. */

const KEPT_MS = 30_000;
const GROUPS_OFFERED = 3;

/** Returns true if a text may be an id: one word with a digit, or with parts like those of `usr_ada` and UUIDs. */
export function isIdLike(text: string): boolean {
  return /^\S{2,}$/.test(text) && /\d|[^\s_-][_-]./u.test(text) && text.length <= MAX_FILTER_VALUE_LENGTH;
}

/** Reads the correlation keys under which events of any time have a value. */
export const correlationKeysQuery = (value: string, project: string | undefined) =>
  queryOptions({
    queryKey: ['events', 'correlation keys', value, project ?? null],
    queryFn: ({ signal }) =>
      requestScanned<CorrelationKey[]>(
        withQuery('/events/correlation-keys', { correlation: value, project_id: project }),
        signal,
      ),
    ...expensive(),
    staleTime: KEPT_MS,
  });

/** Reads the groups that match the words, the last seen first. */
export const matchingGroupsQuery = (words: string, project: string | undefined) =>
  queryOptions({
    queryKey: ['groups', 'matching', words, project ?? null],
    queryFn: async ({ signal }) => {
      const path = withQuery('/groups', { q: words, project_id: project, limit: GROUPS_OFFERED });
      return (await requestPage<Group>(path, signal)).items;
    },
    ...expensive(),
    staleTime: KEPT_MS,
  });

/** Returns `32 events have user_id usr_1001 since 3 Nov, 14:05`; for an incomplete scan, how far back it goes. */
export function describeKey(
  { key, count, firstCapturedAt }: CorrelationKey,
  value: string,
  scan: Scan | null,
): string {
  const verb = count === 1 && !scan ? 'has' : 'have';
  const events = `${formatCount(count)}${scan ? '+' : ''} ${count === 1 && !scan ? 'event' : 'events'}`;
  const bound = scan
    ? ` (searched back to ${formatMinute(scan.fromMs)})`
    : ` since ${formatMinute(firstCapturedAt)}`;
  return `${events} ${verb} ${key} ${value}${bound}`;
}

/** Returns the search for the events with a value under a key, with a range that holds all of them. */
export function searchOfKey(
  { key, firstCapturedAt, lastCapturedAt }: CorrelationKey,
  value: string,
  scope: Scope,
): EventSearch & Pick<Scope, 'from' | 'to'> {
  const { fromMs, toMs } = boundsOf(scope);
  const [firstMs, lastMs] = [Date.parse(firstCapturedAt), Date.parse(lastCapturedAt)];
  const search = { [`correlation.${key}` as const]: value };
  if (firstMs >= fromMs && lastMs < toMs) return search;
  const isoMinute = (minute: number) => new Date(minute * MINUTE_MS).toISOString();
  return {
    ...search,
    from: isoMinute(Math.floor(firstMs / MINUTE_MS)),
    to: isoMinute(Math.floor(lastMs / MINUTE_MS) + 1),
  };
}
