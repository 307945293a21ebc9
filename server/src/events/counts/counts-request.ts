import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { wholeMinutes } from '../conditions.ts';
import type { BoundedConditions } from '../read-types.ts';
import { countEdges } from './group-edges-queries.ts';
import {
  type FingerprintLists,
  findOldestGroupHour,
  type GroupCountsRequest,
  listLiveProjects,
} from './largest-group-queries.ts';
import { findRolledHours, noRolledHours, rolledGroupHours } from './rolled-hours.ts';

/** Minutes are kept for 48 hours. An hour less: another machine's clock may be ahead. */
const MINUTES_KEPT_MS = 47 * HOUR_MS;
/** Maximum age of an hour that is not yet copied or listed: both happen an hour and a half after its end at most. */
const MAX_UNLISTED_MS = 3 * HOUR_MS;

function minutesKeptFrom(nowMs: number): number {
  return Math.floor((nowMs - MINUTES_KEPT_MS) / HOUR_MS) * HOUR_MS;
}

/** Rounds a range to whole hours if no minutes are kept any more. */
export function toCountedRange(conditions: BoundedConditions, nowMs: number): BoundedConditions {
  const minutesFromMs = minutesKeptFrom(nowMs);
  const { afterMs, beforeMs } = conditions;
  return {
    ...conditions,
    afterMs: afterMs + 1 >= minutesFromMs ? afterMs : Math.ceil((afterMs + 1) / HOUR_MS) * HOUR_MS - 1,
    beforeMs: beforeMs >= minutesFromMs ? beforeMs : Math.floor(beforeMs / HOUR_MS) * HOUR_MS,
  };
}

/** Sources of the range's counts. */
export async function toCountsRequest(
  database: Queryable,
  organizationId: string,
  range: BoundedConditions,
  nowMs: number,
): Promise<GroupCountsRequest> {
  const minutes = wholeMinutes(range);
  const firstMinuteMs = Math.min(minutes.firstMinuteMs, minutes.endMinuteMs);
  const { endMinuteMs } = minutes;
  const hours = await findRolledHours(database, organizationId, { firstMinuteMs, endMinuteMs });
  const rolled = rolledGroupHours(hours, endMinuteMs);
  const projectIds = await listLiveProjects(database, organizationId, range.projectId);
  const oldestMs = await findOldestGroupHour(database, projectIds);
  const movedFromMs = Math.max(Math.ceil(firstMinuteMs / HOUR_MS) * HOUR_MS, oldestMs ?? endMinuteMs);
  const movedEndMs = Math.floor(Math.min(rolled.fromMs, nowMs + HOUR_MS, endMinuteMs) / HOUR_MS) * HOUR_MS;
  return {
    projectIds,
    severity: range.severity,
    firstMinuteMs,
    endMinuteMs,
    moved: { fromMs: Math.min(movedFromMs, movedEndMs), endMs: movedEndMs },
    rolled,
    edges: await countEdges(database, organizationId, range),
    lists:
      range.projectId === null ? await findFingerprintLists(database, organizationId, minutes, nowMs) : null,
  };
}

/** Lists of all hours of the range but the newest few, for which counts of minutes are read. */
async function findFingerprintLists(
  database: Queryable,
  organizationId: string,
  { firstMinuteMs, endMinuteMs }: { firstMinuteMs: number; endMinuteMs: number },
  nowMs: number,
): Promise<FingerprintLists | null> {
  const hours = await findRolledHours(database, organizationId, {
    firstMinuteMs: Math.floor(firstMinuteMs / HOUR_MS) * HOUR_MS,
    endMinuteMs: Math.ceil(endMinuteMs / HOUR_MS) * HOUR_MS,
  });
  const isListed =
    hours.fromMs < hours.endMs && hours.endMs >= Math.min(endMinuteMs, nowMs - MAX_UNLISTED_MS);
  return isListed ? { organizationId, hours } : null;
}

/** The same without copies of the newest hours: by the minute as long as minutes are kept. */
export function byTheMinute(request: GroupCountsRequest): GroupCountsRequest {
  const { firstMinuteMs, endMinuteMs } = request;
  const [fromMs, endMs] = [
    Math.ceil(firstMinuteMs / HOUR_MS) * HOUR_MS,
    Math.floor(endMinuteMs / HOUR_MS) * HOUR_MS,
  ];
  return { ...request, moved: { fromMs, endMs }, rolled: noRolledHours({ endMinuteMs }) };
}
