import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type {
  CreatedNotificationTarget,
  Delivery,
  IncidentDetail,
  NewNotificationRoute,
  NewQuietHours,
  NotificationDecision,
  NotificationPreview,
  NotificationRoute,
  NotificationTarget,
  TargetTest,
} from '../../lib/api-types.ts';
import { queryClient, serviceQuery } from '../../lib/queries.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';

export const targetsQuery = queryOptions({
  queryKey: ['notifications', 'targets'],
  queryFn: ({ signal }) => request<NotificationTarget[]>('GET', '/notification-targets', { signal }),
});

export const routesQuery = queryOptions({
  queryKey: ['notifications', 'routes'],
  queryFn: ({ signal }) => request<NotificationRoute[]>('GET', '/notification-routes', { signal }),
});

export const heldQuery = queryOptions({
  queryKey: ['notifications', 'held'],
  queryFn: ({ signal }) => request<{ held: number }>('GET', '/notifications/held', { signal }),
});

/** Interval at which the log of a target is read again while it is shown: no message over the WebSocket tells of it. */
const LOG_RENEWED_MS = 10_000;

export const targetLogQuery = (targetId: string) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'log', targetId],
    queryFn: ({ pageParam, signal }) =>
      requestPage<Delivery>(
        withQuery(`/notification-targets/${targetId}/deliveries`, { cursor: pageParam }),
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: LOG_RENEWED_MS,
  });

export const PREVIEW_DAYS = 30;

export const previewQuery = (routeId: string) =>
  queryOptions({
    queryKey: ['notifications', 'preview', routeId],
    queryFn: ({ signal }) =>
      request<NotificationPreview>(
        'GET',
        withQuery(`/notification-routes/${routeId}/preview`, previewRange()),
        { signal },
      ),
  });

/** Previews what a route that is not stored would have sent. */
export function previewRoute(body: NewNotificationRoute): Promise<NotificationPreview> {
  return request('POST', withQuery('/notification-routes/preview', previewRange()), { body });
}

/** Returns the range of a preview, whose nights are in the time zone of the pages. */
function previewRange() {
  return {
    days: PREVIEW_DAYS,
    time_zone: TIME_ZONE ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export const incidentQuery = (incidentId: string) =>
  queryOptions({
    queryKey: ['notifications', 'incident', incidentId],
    queryFn: ({ signal }) => request<IncidentDetail>('GET', `/incidents/${incidentId}`, { signal }),
  });

/** Reads the newest 50 deliveries: only an incident that lasts for weeks has more. */
export const deliveriesQuery = (incidentId: string) =>
  queryOptions({
    queryKey: ['notifications', 'of incident', incidentId],
    queryFn: ({ signal }) => request<Delivery[]>('GET', `/incidents/${incidentId}/deliveries`, { signal }),
    refetchInterval: LOG_RENEWED_MS,
  });

/** Reads the newest 50 decisions. */
export const decisionsQuery = (incidentId: string) =>
  queryOptions({
    queryKey: ['notifications', 'decisions', incidentId],
    queryFn: ({ signal }) =>
      request<NotificationDecision[]>('GET', `/incidents/${incidentId}/notification-decisions`, { signal }),
    refetchInterval: LOG_RENEWED_MS,
  });

export function createTarget(body: {
  kind: NotificationTarget['kind'];
  name: string;
  config: Record<string, unknown>;
  quietHours: NewQuietHours | null;
}): Promise<CreatedNotificationTarget> {
  return request('POST', '/notification-targets', { body });
}

export function changeTarget({
  id,
  ...body
}: {
  id: string;
  name: string;
  config?: Record<string, unknown>;
  quietHours: NewQuietHours | null;
}): Promise<NotificationTarget> {
  return request('PATCH', `/notification-targets/${id}`, { body });
}

export function enableTarget({ id, enabled }: { id: string; enabled: boolean }): Promise<NotificationTarget> {
  return request('PATCH', `/notification-targets/${id}`, { body: { enabled } });
}

export function deleteTarget(id: string): Promise<void> {
  return request('DELETE', `/notification-targets/${id}`);
}

export function testTarget(id: string): Promise<TargetTest> {
  return request('POST', `/notification-targets/${id}/test`);
}

export function askAddressAgain(id: string): Promise<NotificationTarget> {
  return request('POST', `/notification-targets/${id}/confirmation`);
}

export function createRoute(body: NewNotificationRoute): Promise<NotificationRoute> {
  return request('POST', '/notification-routes', { body });
}

export function changeRoute({
  id,
  ...body
}: Omit<NewNotificationRoute, 'targetId'> & { id: string }): Promise<NotificationRoute> {
  return request('PATCH', `/notification-routes/${id}`, { body });
}

export function deleteRoute(id: string): Promise<void> {
  return request('DELETE', `/notification-routes/${id}`);
}

export function processHeld(action: 'release' | 'drop'): Promise<{ count: number }> {
  return request('POST', '/notifications/held', { body: { action } });
}

/** Reads targets and routes again, and the warning about failing targets above each page. */
export async function readNotificationsAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['notifications'] }),
    queryClient.invalidateQueries({ queryKey: serviceQuery.queryKey }),
  ]);
}
