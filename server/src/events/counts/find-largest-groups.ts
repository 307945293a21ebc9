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
 * Maximum counts of an hour that are read: half a second. If there are more, the older hours are left out. Fewer for
 * several projects, which are read only if no lists of hours have the largest fingerprints.
 */
const MAX_ROWS = 500_000;
const MAX_ROWS_OF_PROJECTS = 100_000;
/**
 * Maximum groups whose exact counts are read at the end; more for several projects, since each may have a part of a
 * count.
 */
const MAX_GROUPS = 200;
const MAX_GROUPS_OF_PROJECTS = 1_000;

export interface LargestGroups {
  /** All groups of the largest fingerprints, and some more. */
  groupIds: string[];
  /** Set if only the events from a time on could be counted: their number. */
  scan: { fromMs: number; events: number } | null;
}

/**
 * Finds the groups of the most frequent fingerprints in a range, without reading the counts of a million rare groups.
 * If the `place` largest count at least N events in H hours, one with fewer than N / H in each hour is none of them:
 * so only larger counts are read, by an index. If fingerprints are about equally frequent, all counts are read.
 */
export async function findLargestGroups(
  database: Queryable,
  request: GroupCountsRequest,
  place: number,
): Promise<LargestGroups> {
  const projects = request.projectIds.length;
  const hours = hoursOf(request) * projects;
  const least = hours > 0 ? await findLeastCount(database, request, place) : 0;
  // Half of it, so that a fingerprint without large hours is far from the largest.
  const minCount = least > 0 ? 1 + Math.floor((least - 1) / (2 * hours)) : 1;
  for (const count of minCount > 1 ? [minCount, 1] : [1]) {
    const limit = projects > 1 && count === 1 ? MAX_GROUPS_OF_PROJECTS : MAX_GROUPS;
    const found = await listLargeGroups(database, request, {
      place,
      minCount: count,
      maxRows: projects > 1 ? MAX_ROWS_OF_PROJECTS : MAX_ROWS,
      limit,
    });
    // In one project: a group that may count no more than the smallest of the largest only fills the list.
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
