import { queryOptions, skipToken } from '@tanstack/react-query';
import { request, requestAll, withQuery } from '../../lib/api.ts';
import type {
  Bucket,
  Environment,
  Event,
  Incident,
  KeyRecord,
  LedgerRecord,
  NewKeyRecord,
  NewProjectRecord,
  NotificationRoute,
  NotificationTarget,
  ProjectEnvironment,
  ProjectQuotasRecord,
  ProjectRecord,
  RiskState,
  ScrubCountRecord,
  ScrubPreviewRecord,
} from '../../lib/api-types.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { queryClient } from '../../lib/queries.ts';

/** Interval at which something that is about to come is read. */
export const EXPECTED_INTERVAL_MS = 1_000;
const LEDGER_INTERVAL_MS = 5_000;
const QUOTAS_INTERVAL_MS = 10_000;
const RISK_STATE_INTERVAL_MS = 30_000;

export interface ProjectValues {
  name: string;
  environment: Environment;
}

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: ({ signal }) => request<ProjectRecord>('GET', pathOf(id), { signal }),
  });

export const ledgerQuery = (id: string) =>
  queryOptions({
    queryKey: ['ledger', id],
    queryFn: ({ signal }) => request<LedgerRecord>('GET', `${pathOf(id)}/ledger`, { signal }),
    refetchInterval: LEDGER_INTERVAL_MS,
  });

export const quotasQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'quotas'],
    queryFn: ({ signal }) => request<ProjectQuotasRecord>('GET', `${pathOf(id)}/quotas`, { signal }),
    refetchInterval: QUOTAS_INTERVAL_MS,
  });

export const environmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'environments'],
    queryFn: ({ signal }) => request<ProjectEnvironment[]>('GET', `${pathOf(id)}/environments`, { signal }),
  });

export const riskStateQuery = (id: string) =>
  queryOptions({
    queryKey: ['alarms', id, 'state'],
    queryFn: ({ signal }) => request<RiskState>('GET', `${pathOf(id)}/risk/state`, { signal }),
    refetchInterval: RISK_STATE_INTERVAL_MS,
  });

export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'keys'],
    queryFn: ({ signal }) => requestAll<KeyRecord>(`${pathOf(projectId)}/api-keys`, signal),
  });

/** Reads the counts of the last day by the hour. */
export const lastDayQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['events', 'last-day', projectId],
    queryFn: ({ signal }) =>
      request<Bucket[]>(
        'GET',
        withQuery('/events/histogram', {
          project_id: projectId,
          from: new Date(Date.now() - DAY_MS).toISOString(),
          interval: HOUR_MS / 1_000,
        }),
        { signal },
      ),
    staleTime: 60_000,
  });

/** Reads the counts of all stored events of a project by the day. */
export const keptEventsQuery = (projectId: string, retentionDays: number) =>
  queryOptions({
    queryKey: ['events', 'kept', projectId],
    queryFn: ({ signal }) =>
      request<Bucket[]>(
        'GET',
        withQuery('/events/histogram', {
          project_id: projectId,
          // The time of an event may be up to a week before its arrival.
          from: new Date(Date.now() - (retentionDays + 8) * DAY_MS).toISOString(),
          interval: DAY_MS / 1_000,
        }),
        { signal },
      ),
  });

/** Reads the newest event of a project, repeatedly until there is one, also in the background. */
export const firstEventQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['events', 'first', projectId],
    queryFn: async ({ signal }) => {
      const path = withQuery('/events', { project_id: projectId, limit: 1 });
      const [event] = await request<Event[]>('GET', path, { signal });
      return event ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : EXPECTED_INTERVAL_MS),
    // The user sends the event from a terminal, so this page is in the background.
    refetchIntervalInBackground: true,
  });

/** Reads the newest incident of a project. */
export const newestIncidentQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['incidents', 'newest', projectId],
    queryFn: async ({ signal }) => {
      const path = withQuery('/incidents', { project_id: projectId, limit: 1 });
      const [incident] = await request<Incident[]>('GET', path, { signal });
      return incident ?? null;
    },
  });

/** Reads if a route of the project leads to a target that can deliver. */
export const isNotifiedQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', 'is-notified', id],
    queryFn: async ({ signal }) => {
      const [routes, targets] = await Promise.all([
        request<NotificationRoute[]>('GET', '/notification-routes', { signal }),
        request<NotificationTarget[]>('GET', '/notification-targets', { signal }),
      ]);
      const working = new Set(targets.filter(canDeliver).map((target) => target.id));
      return routes.some(({ projectId, targetId }) => (projectId ?? id) === id && working.has(targetId));
    },
  });

function canDeliver({ health, confirmation }: NotificationTarget): boolean {
  return (health.state === 'working' || health.state === 'unused') && confirmation?.state !== 'waiting';
}

/** Reads if anyone is invited to the organization, for OWNERs. */
export const hasInvitationQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', 'invitations', 'any'],
    queryFn: ({ signal }) =>
      hasItems(`/organizations/${encodeURIComponent(organizationId)}/invitations`, signal),
  });

/** Reads if a deploy of the project was reported. */
export const hasDeployQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['releases', 'has-deploy', projectId],
    queryFn: ({ signal }) => hasItems(withQuery(`${pathOf(projectId)}/deploys`, { limit: 1 }), signal),
  });

async function hasItems(path: string, signal: AbortSignal): Promise<boolean> {
  return (await request<unknown[]>('GET', path, { signal })).length > 0;
}

/** The newest key of a project, while this page remembers it: it is kept in memory alone, and no request returns it. */
export const newestKeyQuery = (projectId: string) =>
  queryOptions<NewestKey>({ queryKey: ['newest-key', projectId], queryFn: skipToken });

export const createProject = (body: ProjectValues) =>
  request<NewProjectRecord>('POST', '/projects', { body });

export const changeProject = (
  id: string,
  body: Partial<
    Pick<ProjectRecord, 'name' | 'environment' | 'groupPrefix' | 'scrubbing' | 'retention' | 'sampleAbove'>
  >,
) => request<ProjectRecord>('PATCH', pathOf(id), { body });

export const scrubCountsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'scrubbing'],
    queryFn: ({ signal }) => request<ScrubCountRecord[]>('GET', `${pathOf(id)}/scrubbing/counts`, { signal }),
  });

export const previewScrubbing = (id: string, body: ProjectRecord['scrubbing']) =>
  request<ScrubPreviewRecord>('POST', `${pathOf(id)}/scrubbing/preview`, { body });

export const changeEnvironment = (id: string, { name, isWatched }: ProjectEnvironment) =>
  request<ProjectEnvironment>('PATCH', `${pathOf(id)}/environments/${encodeURIComponent(name)}`, {
    body: { isWatched },
  });

export const deleteProject = (id: string) => request('DELETE', pathOf(id));

export interface NewestKey {
  rawKey: string;
  dsn: string | null;
}

export interface NewKeyValues {
  name: string;
  use?: KeyRecord['use'];
  origins?: string[];
}

export const createKey = (projectId: string, body: NewKeyValues) =>
  request<NewKeyRecord>('POST', `${pathOf(projectId)}/api-keys`, { body });

/** Creates a key and remembers it, as the one of the project's creation was. */
export async function createAnotherKey(projectId: string, name: string): Promise<void> {
  const { rawKey, dsn } = await createKey(projectId, { name });
  queryClient.setQueryData(newestKeyQuery(projectId).queryKey, { rawKey, dsn });
  void queryClient.invalidateQueries(keysQuery(projectId));
}

/** Forgets a remembered key that no longer works. */
export function forgetKey({ projectId, prefix }: KeyRecord): void {
  const { queryKey } = newestKeyQuery(projectId);
  if (queryClient.getQueryData(queryKey)?.rawKey.startsWith(prefix)) queryClient.removeQueries({ queryKey });
}

export const revokeKey = (id: string) => request('DELETE', `/api-keys/${encodeURIComponent(id)}`);

export function sumOf(buckets: Bucket[]): number {
  return buckets.reduce((sum, bucket) => sum + countOf(bucket), 0);
}

export function countOf({ info, warn, error, critical }: Bucket): number {
  return info + warn + error + critical;
}

function pathOf(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}`;
}
