import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, requestScanned, withQuery } from '../../lib/api.ts';
import type { Bucket, Incident, LedgerRecord, TopBy, TopValue } from '../../lib/api-types.ts';
import { expensive } from '../../lib/queries.ts';
import { boundsOf, type Scope } from '../../lib/scope.ts';
import { toEventFilter } from '../../lib/search/event-search.ts';
import { chooseShown } from './worst-first.ts';

/* All queries are renewed while the page is visible; the present data stays until the answer arrives. */
const EVENTS_RENEWAL_MS = 10_000;
const LEDGER_RENEWAL_MS = 4_000;

/** Maximum incidents read; the incidents page lists the others. */
const WORST_READ = 100;
const TOP_SHOWN = 6;

/** Reads unresolved incidents, the worst first: open ones and those under investigation. */
export const unresolvedIncidentsQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'unresolved', project ?? null],
    queryFn: async ({ signal }) => {
      const readWorst = async (status: 'open' | 'investigating') => {
        const parameters = { status, sort: 'severity', project_id: project, limit: WORST_READ };
        return (await requestPage<Incident>(withQuery('/incidents', parameters), signal)).items;
      };
      const [open, investigating] = await Promise.all([readWorst('open'), readWorst('investigating')]);
      return chooseShown(open, investigating);
    },
    placeholderData: keepPreviousData,
  });

/** Reads counts with the bounds of the request: a moving range has others at each renewal. */
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
    ...expensive(EVENTS_RENEWAL_MS),
    placeholderData: keepPreviousData,
  });

export const topQuery = (by: TopBy, scope: Scope) =>
  queryOptions({
    queryKey: ['events', 'top', by, scope],
    queryFn: async ({ signal }) => {
      const path = withQuery('/events/top', { by, limit: TOP_SHOWN, ...toEventFilter({}, scope) });
      const { answer: values, counted } = await requestScanned<TopValue[]>(path, signal);
      return { values, counted };
    },
    ...expensive(EVENTS_RENEWAL_MS),
    placeholderData: keepPreviousData,
  });

/** Reads the ledger of a project, or of all projects of the organization. */
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
