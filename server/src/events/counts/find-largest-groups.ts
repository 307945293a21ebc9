import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import {
  findLeastCount,
  type GroupCountsRequest,
  hoursOf,
  listFamilies,
  listLargeGroups,
} from './largest-group-queries.ts';

/**
 * Counts of an hour that are read at most: half a second. Of more, the older hours are left out. Fewer of several projects,
 * which are read only where no lists of hours tell the largest kinds.
 */
const MAX_ROWS = 500_000;
const MAX_ROWS_OF_PROJECTS = 100_000;
/** Groups whose exact counts are read at the end; more of several projects, since each may have a part of a kind's count. */
const MAX_GROUPS = 200;
const MAX_GROUPS_OF_PROJECTS = 1_000;

export interface LargestGroups {
  /** All groups of the largest kinds, and some more. */
  groupIds: string[];
  /** Set where only the events from a time on could be counted: how many were. */
  scan: { fromMs: number; events: number } | null;
}

/**
 * The groups of the most frequent kinds in a range, without reading what a million rare groups count. Where the `place`
 * largest kinds count at least N events in H hours, a kind with fewer than N / H in each hour is none of them: so only larger
 * counts are read, by an index. Where kinds are about equally frequent, all counts are.
 */
export async function findLargestGroups(
  database: Queryable,
  request: GroupCountsRequest,
  place: number,
): Promise<LargestGroups> {
  const projects = request.projectIds.length;
  const hours = hoursOf(request) * projects;
  const least = hours > 0 ? await findLeastCount(database, request, place) : 0;
  // Half of it, so that a kind that large hours do not show is far from the largest.
  const minCount = least > 0 ? 1 + Math.floor((least - 1) / (2 * hours)) : 1;
  for (const count of minCount > 1 ? [minCount, 1] : [1]) {
    const limit = projects > 1 && count === 1 ? MAX_GROUPS_OF_PROJECTS : MAX_GROUPS;
    const found = await listLargeGroups(database, request, {
      place,
      minCount: count,
      maxRows: projects > 1 ? MAX_ROWS_OF_PROJECTS : MAX_ROWS,
      limit,
    });
    // Of one project: what may count no more than the least of the largest is needed to fill the list alone.
    const ahead = found.groups.findIndex(({ atMost }) => projects === 1 && atMost <= found.least);
    if (ahead < 0 && found.groups.length > limit && count > 1) continue;
    const largest = found.groups.slice(0, ahead < 0 ? limit : ahead + place).map(({ id }) => id);
    const groupIds = await listFamilies(database, request.projectIds, {
      groupIds: largest,
      fingerprints: [],
    });
    const { edgeHourMs, events } = found;
    return { groupIds, scan: edgeHourMs === null ? null : { fromMs: edgeHourMs + HOUR_MS, events } };
  }
  return { groupIds: [], scan: null };
}
