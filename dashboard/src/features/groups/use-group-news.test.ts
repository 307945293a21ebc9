import { expect, it } from 'vitest';
import type { Group, GroupDetail } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { GROUP_LISTS_KEY, groupQuery } from './queries.ts';
import { mergeGroup } from './use-group-news.ts';

// Only the fields that the function reads.
const group = (id: string, count: number, culprit: string) => ({ id, count, culprit }) as Group;

it('updates a group in lists and on its page, and keeps its mapped culprit', () => {
  const { queryKey } = groupQuery('a');
  const listKey = [...GROUP_LISTS_KEY, {}];
  const items = [group('a', 1, 'pay in src/pay.ts'), group('b', 1, 't in app.js')];
  queryClient.setQueryData(listKey, { pages: [{ items, next: null }], pageParams: [null] });
  queryClient.setQueryData(queryKey, items[0] as GroupDetail);
  mergeGroup(group('a', 2, 't in app.js'));
  const merged = { id: 'a', count: 2, culprit: 'pay in src/pay.ts' };
  expect(queryClient.getQueryData(listKey)).toMatchObject({ pages: [{ items: [merged, items[1]] }] });
  expect(queryClient.getQueryData(queryKey)).toEqual(merged);
  queryClient.clear();
});
