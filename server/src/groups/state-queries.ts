import type { Queryable } from '../database/database.ts';
import { MINUTE_MS } from '../platform/durations.ts';
import { toId } from '../platform/ids.ts';
import { isoTime, minuteOf } from '../platform/time.ts';
import { hasMuteEnded } from './conditions.ts';
import type { GroupRow } from './group-row.ts';

/** Fields of the state of an open group. */
export const OPEN = {
  state: 'open',
  resolution: null,
  resolvedAt: null,
  resolvedRelease: null,
  muteUntil: null,
  muteUntilCount: null,
  muteRateCount: null,
  muteRateSeconds: null,
} as const satisfies Partial<GroupRow>;

/** The state with all of its fields, as history and audit log show it. */
export function stateOf(group: GroupRow): Record<string, unknown> {
  return {
    state: group.state,
    ...(group.resolution !== null && { resolution: group.resolution }),
    ...(group.resolvedRelease !== null && { resolvedIn: group.resolvedRelease }),
    ...(group.muteUntil !== null && { muteUntil: isoTime(group.muteUntil) }),
    ...(group.muteUntilCount !== null && { muteUntilCount: group.muteUntilCount }),
    ...(group.muteRateCount !== null && {
      muteForCount: group.muteRateCount,
      mutePeriodSeconds: group.muteRateSeconds,
    }),
    assigneeId: group.assigneeId && toId('usr', group.assigneeId),
  };
}

/** Writes states and assignees of groups that are locked. */
export async function updateStates(
  database: Queryable,
  groups: readonly GroupRow[],
  by: 'person' | 'service',
): Promise<void> {
  await database.query(
    `UPDATE groups SET state = c.state, resolution = c.resolution, resolved_at = c.resolved_at,
        resolved_release = c.resolved_release, mute_until = c.mute_until, mute_until_count = c.mute_until_count,
        mute_rate_count = c.mute_rate_count, mute_rate_seconds = c.mute_rate_seconds, regressed_at = c.regressed_at,
        assignee_id = c.assignee_id, is_touched = groups.is_touched OR $12,
        -- The next events of a group that was resolved are kept.
        sampled_hour = CASE WHEN groups.state = 'resolved' AND c.state <> 'resolved' THEN NULL ELSE groups.sampled_hour END
      FROM unnest($1::uuid[], $2::group_state[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[],
          $7::bigint[], $8::int[], $9::int[], $10::timestamptz[], $11::uuid[])
        AS c (id, state, resolution, resolved_at, resolved_release, mute_until, mute_until_count, mute_rate_count,
          mute_rate_seconds, regressed_at, assignee_id)
      WHERE groups.id = c.id`,
    [
      groups.map(({ id }) => id),
      groups.map(({ state }) => state),
      groups.map(({ resolution }) => resolution),
      groups.map(({ resolvedAt }) => resolvedAt),
      groups.map(({ resolvedRelease }) => resolvedRelease),
      groups.map(({ muteUntil }) => muteUntil),
      groups.map(({ muteUntilCount }) => muteUntilCount),
      groups.map(({ muteRateCount }) => muteRateCount),
      groups.map(({ muteRateSeconds }) => muteRateSeconds),
      groups.map(({ regressedAt }) => regressedAt),
      groups.map(({ assigneeId }) => assigneeId),
      by === 'person',
    ],
  );
}

/** Marks groups as those of a watched environment. */
export async function updateWatched(database: Queryable, groupIds: readonly string[]): Promise<void> {
  await database.query('UPDATE groups SET is_watched = true WHERE id = ANY ($1::uuid[])', [groupIds]);
}

/** The events of groups, merged ones included, received in the whole minutes of a period. */
export async function countInPeriods(
  database: Queryable,
  periods: readonly { id: string; seconds: number; receivedMs: number }[],
): Promise<Map<string, number>> {
  if (periods.length === 0) return new Map();
  const { rows } = await database.query<{ id: string; count: number }>(
    `SELECT period.id, coalesce(sum(info + warn + error + critical), 0)::bigint AS count
      FROM unnest($1::uuid[], $2::timestamptz[]) AS period (id, since)
      JOIN group_minutes ON minute >= since
        AND group_id IN (SELECT period.id UNION ALL SELECT id FROM groups WHERE merged_into = period.id)
      GROUP BY 1`,
    [periods.map(({ id }) => id), periods.map(({ seconds, receivedMs }) => periodStart(receivedMs, seconds))],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Beginning of a period: the current minute and as many before it as make the period up. */
function periodStart(nowMs: number, seconds: number): Date {
  return new Date(minuteOf(nowMs) + MINUTE_MS - seconds * 1_000);
}

/** Groups of live projects whose mute has ended but is still stored, sorted by id. */
export async function listEndedMutes(
  database: Queryable,
  at: Date,
  limit: number,
): Promise<{ id: string; projectId: string }[]> {
  const { rows } = await database.query<{ id: string; projectId: string }>(
    `SELECT id, "projectId" FROM (
        SELECT g.id, g.project_id AS "projectId" FROM organizations AS o CROSS JOIN LATERAL (
          SELECT g.id, g.project_id FROM groups AS g JOIN projects AS p ON p.id = g.project_id AND p.deleted_at IS NULL
          WHERE g.organization_id = o.id AND ${hasMuteEnded('$1')} ORDER BY g.mute_until LIMIT $2
        ) AS g LIMIT $2
      ) AS ended ORDER BY id`,
    [at, limit],
  );
  return rows;
}
