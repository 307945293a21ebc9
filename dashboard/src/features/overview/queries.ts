import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { Bucket, Incident, LedgerRecord, TopBy, TopValue } from '../../lib/api-types.ts';
import { toEventFilter } from '../../lib/event-search.ts';
import { boundsOf, type Scope } from '../../lib/scope.ts';

/* Everything here renews itself while the page is seen; what was there stays until the answer has come. */
const EVENTS_RENEWAL_MS = 10_000;
const LEDGER_RENEWAL_MS = 4_000;

export const INCIDENTS_SHOWN = 6;
const TOP_SHOWN = 6;

/** What nobody has resolved yet, newest first. */
export const unresolvedIncidentsQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'unresolved', project ?? null],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        (['open', 'investigating'] as const).map((status) =>
          requestPage<Incident>(
            withQuery('/incidents', { status, project_id: project, limit: INCIDENTS_SHOWN }),
            signal,
          ),
        ),
      );
      return pages
        .flatMap(({ items }) => items)
        .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
        .slice(0, INCIDENTS_SHOWN);
    },
    placeholderData: keepPreviousData,
  });

/** Counts with the bounds they were asked for: those of a moving range are others at each renewal. */
export const histogramQuery = (scope: Scope) =>
  queryOptions({
    queryKey: ['events', 'histogram', 'overview', scope],
    queryFn: async ({ signal }) => {
      const buckets = await request<Bucket[]>(
        'GET',
        withQuery('/events/histogram', toEventFilter({}, scope)),
        { signal },
      );
      return { buckets, ...boundsOf(scope) };
    },
    refetchInterval: EVENTS_RENEWAL_MS,
    placeholderData: keepPreviousData,
  });

export const topQuery = (by: TopBy, scope: Scope) =>
  queryOptions({
    queryKey: ['events', 'top', by, scope],
    queryFn: ({ signal }) =>
      request<TopValue[]>(
        'GET',
        withQuery('/events/top', { by, limit: TOP_SHOWN, ...toEventFilter({}, scope) }),
        { signal },
      ),
    refetchInterval: EVENTS_RENEWAL_MS,
    placeholderData: keepPreviousData,
  });

/** Of a project, or of all of the organization's. */
export const ledgerQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['ledger', project ?? null],
    queryFn: ({ signal }) =>
      request<LedgerRecord>(
        'GET',
        project ? `/projects/${encodeURIComponent(project)}/ledger` : '/organizations/ledger',
        { signal },
      ),
    refetchInterval: LEDGER_RENEWAL_MS,
    placeholderData: keepPreviousData,
  });
