import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import type {
  NotificationRoute,
  NotificationTarget,
  NotifiedBrowser,
  TargetTest,
} from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { resumeThisBrowser, unsubscribeHere } from './this-browser.ts';

export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: ({ signal }) => request<NotifiedBrowser[]>('GET', '/web-push/browsers', { signal }),
});

export const thisBrowserQuery = queryOptions({
  queryKey: ['browsers', 'this'],
  queryFn: resumeThisBrowser,
});

/** Returns true if a route leads to the browsers of a user. */
export const isSentToBrowsersQuery = (userId: string) =>
  queryOptions({
    queryKey: ['notifications', 'browsers of', userId],
    queryFn: async ({ signal }) => {
      const targets = await request<NotificationTarget[]>('GET', '/notification-targets', { signal });
      const routes = await request<NotificationRoute[]>('GET', '/notification-routes', { signal });
      const reaching = targets.filter(
        ({ kind, config, enabled }) =>
          kind === 'webpush' && enabled && (config['userId'] ?? userId) === userId,
      );
      return routes.some(({ targetId }) => reaching.some(({ id }) => id === targetId));
    },
  });

export async function removeBrowser({ id, isHere }: { id: string; isHere: boolean }): Promise<void> {
  await request('DELETE', `/web-push/browsers/${id}`);
  if (isHere) await unsubscribeHere();
}

export function testBrowser(id: string): Promise<TargetTest> {
  return request('POST', `/web-push/browsers/${id}/test`);
}

export function readBrowsersAgain(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: browsersQuery.queryKey });
}
