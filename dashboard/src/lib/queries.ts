import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { ApiError, busyForMs, request, requestAll, withQuery } from './api.ts';
import type {
  IncidentCounts,
  MemberRecord,
  ProjectRecord,
  ServiceRecord,
  SessionRecord,
  SignInOptions,
} from './api-types.ts';

/*
 * Queries of more than one feature. A query's first key names its subject, so that a change can
 * invalidate all queries of `incidents`, for example.
 */

/** Returns true if a request is worth retrying: an error of the service or the network is, a refusal (4xx) is final. */
function mayComeBack(failures: number, error: Error): boolean {
  return !(error instanceof ApiError && error.status < 500) && failures < 3;
}

/**
 * Returns options for requests that an overloaded service may refuse: the refusal is shown at once without retries, and the query is
 * repeated after the time that the service names.
 * @param renewedMs usual interval of renewal
 */
export const expensive = (renewedMs: number | false = false) => ({
  retry: (failures: number, error: Error) => busyForMs(error) === null && mayComeBack(failures, error),
  refetchInterval: ({ state }: { state: { error: Error | null } }) => busyForMs(state.error) ?? renewedMs,
});

/**
 * A query client whose invalidations also apply to queries without an answer: the first answer may have been computed before
 * the change that invalidates it, so it is read again. The library's own client accepts it.
 */
export class StrictQueryClient extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
      .map(async ({ promise, queryKey }) => {
        await promise?.catch(() => undefined);
        await super.invalidateQueries({ queryKey, exact: true }, options);
      });
    await Promise.all([super.invalidateQueries(filters, options), ...loading]);
  }
}

export const queryClient = new StrictQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: mayComeBack,
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 8_000),
    },
    // A change fails at once without a connection: it must not happen unexpectedly later.
    mutations: { networkMode: 'always' },
  },
});

/** Returns true if a query that failed with an error is read again after a while, as its options say. */
export const isReadAgain = (error: unknown): boolean =>
  queryClient
    .getQueryCache()
    .getAll()
    .some(
      (query) =>
        query.state.error === error &&
        query.observers.some(({ options: { refetchInterval: interval } }) =>
          Boolean(typeof interval === 'function' ? interval(query) : interval),
        ),
    );

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request<SessionRecord>('GET', '/auth/me', { signal }),
  staleTime: 60_000,
});

/** Time for which "no session" is cached: loading a page asks at each redirect. */
const NO_SESSION_MS = 10_000;

/** Returns the session; null if there is none. */
export async function findSession(): Promise<SessionRecord | null> {
  const known = queryClient.getQueryState(sessionQuery.queryKey);
  if (known && isNoSession(known.error) && Date.now() - known.errorUpdatedAt < NO_SESSION_MS) return null;
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (isNoSession(error)) return null;
    throw error;
  }
}

const isNoSession = (error: unknown) => error instanceof ApiError && error.code === 'unauthenticated';

/** Reads the options of sign-up and login, without a session. */
export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: ({ signal }) => request<SignInOptions>('GET', '/auth/options', { signal }),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => requestAll<ProjectRecord>('/projects', signal),
  staleTime: 30_000,
});

export const membersQuery = queryOptions({
  queryKey: ['organization', 'members'],
  queryFn: ({ signal }) => requestAll<MemberRecord>('/organizations/members', signal),
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
