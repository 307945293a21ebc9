import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from '../../lib/api.ts';
import type { Group, GroupDetail } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { useMessages, useTopic } from '../../lib/realtime.ts';
import { throttle } from '../../lib/throttle.ts';
import { GROUP_LISTS_KEY, groupKey, groupQuery } from './queries.ts';

/** What frames cannot say is read again no more often: which groups a filter lists now, and in which order. */
const READ_INTERVAL_MS = 3_000;

const readListsAgain = throttle(
  () => queryClient.invalidateQueries({ queryKey: GROUP_LISTS_KEY }),
  READ_INTERVAL_MS,
);

/** Keeps lists and pages of groups current: what is shown changes at once, and lists are read again. */
export function useGroupNews(): void {
  useTopic('groups');
  useMessages((message) => {
    if (message.event !== 'group_updated') return;
    mergeGroup(message.data);
    // What else its page shows changes with people, and not with each event.
    if (message.change !== 'counted')
      void queryClient.invalidateQueries({ queryKey: groupKey(message.data.id) });
    readListsAgain();
  });
}

/** Writes a group into every list and page that was read. */
export function mergeGroup(group: Group): void {
  queryClient.setQueriesData<InfiniteData<Page<Group>>>({ queryKey: GROUP_LISTS_KEY }, (lists) =>
    lists?.pages.some(({ items }) => items.some(({ id }) => id === group.id))
      ? {
          ...lists,
          pages: lists.pages.map((page) => ({
            ...page,
            items: page.items.map((one) => (one.id === group.id ? group : one)),
          })),
        }
      : lists,
  );
  queryClient.setQueryData<GroupDetail>(
    groupQuery(group.id).queryKey,
    (detail) => detail && { ...detail, ...group },
  );
}
