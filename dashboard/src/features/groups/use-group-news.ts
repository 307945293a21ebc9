import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from '../../lib/api.ts';
import type { Group, GroupDetail } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { useMessages, useTopic } from '../../lib/realtime.ts';
import { throttle } from '../../lib/throttle.ts';
import { GROUP_LISTS_KEY, groupKey, groupQuery } from './queries.ts';

/** Minimum interval of reading lists again: messages do not say which groups a filter lists, and in which order. */
const READ_INTERVAL_MS = 3_000;

const readListsAgain = throttle(
  () => queryClient.invalidateQueries({ queryKey: GROUP_LISTS_KEY }),
  READ_INTERVAL_MS,
);

/** Keeps lists and pages of groups current: shown groups change at once, and lists are read again. */
export function useGroupNews(): void {
  useTopic('groups');
  useMessages((message) => {
    if (message.event !== 'group_updated') return;
    mergeGroup(message.data);
    // The rest of the page changes with actions of people, not with each event.
    if (message.change !== 'counted')
      void queryClient.invalidateQueries({ queryKey: groupKey(message.data.id) });
    readListsAgain();
  });
}

/** Updates a group in all cached lists and pages, but for its culprit, which messages have as it was sent. */
export function mergeGroup(group: Group): void {
  queryClient.setQueriesData<InfiniteData<Page<Group>>>({ queryKey: GROUP_LISTS_KEY }, (lists) =>
    lists?.pages.some(({ items }) => items.some(({ id }) => id === group.id))
      ? {
          ...lists,
          pages: lists.pages.map((page) => ({
            ...page,
            items: page.items.map((one) => (one.id === group.id ? { ...group, culprit: one.culprit } : one)),
          })),
        }
      : lists,
  );
  queryClient.setQueryData<GroupDetail>(
    groupQuery(group.id).queryKey,
    (detail) => detail && { ...detail, ...group, culprit: detail.culprit },
  );
}
