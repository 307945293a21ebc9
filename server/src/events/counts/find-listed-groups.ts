import type { Queryable } from '../../database/database.ts';
import { type FingerprintBounds, listFingerprintBounds } from './fingerprint-bound-queries.ts';
import { listGroupsOfLargest } from './groups-of-largest-queries.ts';
import { type GroupCountsRequest, hoursOf, listFamilies } from './largest-group-queries.ts';

/** Fingerprints that are counted exactly at first, for each one of the answer. */
const FIRST_COUNTED = 2;
/** Maximum fingerprints of the second attempt, and maximum hours of all of them. A tenth of a second each. */
const MAX_COUNTED = 400;
const MAX_COUNTED_HOURS = 60_000;

/**
 * Finds the groups of the `place` most frequent fingerprints by the lists of hours: they are counted exactly in the
 * order of their upper bounds, until no other can count more than the last one of the answer. Null: there are no
 * lists of the range, or too many are about equally frequent.
 */
export async function findListedGroups(
  database: Queryable,
  request: GroupCountsRequest,
  place: number,
): Promise<string[] | null> {
  if (!request.lists) return null;
  const bounds = await listFingerprintBounds(database, request, request.lists, MAX_COUNTED + 1);
  const first = await countGroups(database, request, bounds.listed.slice(0, FIRST_COUNTED * place), place);
  if (first.least > atMostFrom(bounds, FIRST_COUNTED * place)) return first.groupIds;
  const most = Math.min(MAX_COUNTED, Math.floor(MAX_COUNTED_HOURS / Math.max(1, hoursOf(request))));
  const more = bounds.listed.filter(({ atMost }) => atMost >= first.least).slice(0, most);
  if (more.length === 0) return [];
  const second = await countGroups(database, request, more, place);
  const rest = atMostFrom(bounds, more.length);
  return second.least > rest || rest === 0 ? second.groupIds : null;
}

async function countGroups(
  database: Queryable,
  request: GroupCountsRequest,
  listed: FingerprintBounds['listed'],
  place: number,
) {
  const fingerprints = listed.map(({ fingerprint }) => fingerprint);
  const groupIds = await listFamilies(database, request.projectIds, { groupIds: [], fingerprints });
  return listGroupsOfLargest(database, request, groupIds, place);
}

/** Upper bound of any fingerprint after so many counted ones. */
function atMostFrom({ listed, othersAtMost }: FingerprintBounds, counted: number): number {
  return listed[counted]?.atMost ?? othersAtMost;
}
