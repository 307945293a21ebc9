import { invalidQuery } from '../events/invalid-query.ts';
import { decodeUuid, toId } from '../platform/ids.ts';
import type { GroupRow } from './group-row.ts';
import type { GroupSort } from './schema.ts';

/*
 * The sort value of groups changes while events come. So a cursor has the value that its group had, and the next page
 * begins below it: a group that moves up meanwhile is on no later page, and none is on two.
 */

/** Maximum sort value: for milliseconds since 1970, the last that is a `Date`; for counts, more than any. */
const MAX_VALUE = 8_640_000_000_000_000;
const CURSOR = /^(\d{1,16})-([0-9a-z]{26})$/;

/** @throws ApiError `validation_failed` for a cursor that does not come from a list */
export function readGroupCursor(cursor: string | undefined): { value: number; id: string } | null {
  if (cursor === undefined) return null;
  const [, value, encoded] = CURSOR.exec(cursor) ?? [];
  const id = encoded && decodeUuid(encoded);
  if (!id || Number(value) > MAX_VALUE) throw invalidQuery('/cursor', 'does not come from a list');
  return { value: Number(value), id };
}

export function toGroupCursor(sort: GroupSort, row: GroupRow): string {
  const id = toId('grp', row.id).slice('grp_'.length);
  return `${valueOf(sort, row)}-${id}`;
}

/** Sort value of a list, as a cursor has it. */
export function valueOf(sort: GroupSort, row: GroupRow): number {
  return VALUES[sort](row);
}

const VALUES: Record<GroupSort, (row: GroupRow) => number> = {
  last_seen: ({ lastSeen }) => lastSeen.getTime(),
  first_seen: ({ firstSeen }) => firstSeen.getTime(),
  count: ({ count }) => count,
  users: ({ users }) => users,
};
