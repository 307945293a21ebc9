import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { bind } from '../where.ts';

/** Maximum stale hours: beyond it, the copies are not used from the first one on. */
const MAX_STALE = 1_000;

/** The whole hours of a range of minutes that are read from their copies. Times in milliseconds. */
export interface RolledHours {
  /** Beginning; the end if there are none. */
  fromMs: number;
  endMs: number;
  /** Hours among them with later events: they are read by the minute. */
  stale: { projectId: string; hourMs: number }[];
  /** First whole hour of which groups are copied; null: there is none. */
  groupsFromMs: number | null;
  /** True if the sums of the organization include counts of deleted projects. */
  hasDeletedProjects: boolean;
}

export function noRolledHours({ endMinuteMs }: { endMinuteMs: number }): RolledHours {
  return {
    fromMs: endMinuteMs,
    endMs: endMinuteMs,
    stale: [],
    groupsFromMs: null,
    hasDeletedProjects: false,
  };
}

/** The subset of hours of which groups are copied. */
export function rolledGroupHours(rolled: RolledHours, endMinuteMs: number): RolledHours {
  const { groupsFromMs } = rolled;
  if (groupsFromMs === null || groupsFromMs >= rolled.endMs) return noRolledHours({ endMinuteMs });
  return {
    ...rolled,
    fromMs: groupsFromMs,
    stale: rolled.stale.filter(({ hourMs }) => hourMs >= groupsFromMs),
  };
}

export async function findRolledHours(
  database: Queryable,
  organizationId: string,
  { firstMinuteMs, endMinuteMs }: { firstMinuteMs: number; endMinuteMs: number },
): Promise<RolledHours> {
  const fromMs = Math.ceil(firstMinuteMs / HOUR_MS) * HOUR_MS;
  const { rows } = await database.query<{
    until: Date | null;
    groupsSince: Date | null;
    stale: RolledHours['stale'];
    hasDeletedProjects: boolean;
  }>(
    `SELECT until, groups_since AS "groupsSince", (
        SELECT coalesce(jsonb_agg(jsonb_build_object('projectId', project_id, 'hourMs', extract(epoch FROM hour) * 1000)), '[]')
        FROM (
          SELECT project_id, hour FROM stale_hours WHERE organization_id = $1 AND hour >= $2 AND hour < $3
          ORDER BY hour LIMIT ${MAX_STALE + 1}
        ) AS marked
      ) AS stale,
        EXISTS (SELECT FROM projects WHERE organization_id = $1 AND deleted_at IS NOT NULL) AS "hasDeletedProjects"
      FROM rolled_hours`,
    [organizationId, new Date(fromMs), new Date(endMinuteMs)],
  );
  const { until = null, groupsSince = null, stale = [], hasDeletedProjects = true } = rows[0] ?? {};
  const beyond = stale.length > MAX_STALE ? stale[0]?.hourMs : undefined;
  const endMs =
    Math.floor(Math.min(endMinuteMs, until?.getTime() ?? 0, beyond ?? endMinuteMs) / HOUR_MS) * HOUR_MS;
  if (endMs <= fromMs) return noRolledHours({ endMinuteMs });
  // The first one may be removed meanwhile.
  const groupsFromMs = groupsSince && Math.max(fromMs, groupsSince.getTime() + HOUR_MS);
  return {
    fromMs,
    endMs,
    stale: stale.filter(({ hourMs }) => hourMs < endMs),
    groupsFromMs,
    hasDeletedProjects,
  };
}

/** SQL of a table `stale`. */
export function staleHours({ stale }: RolledHours, values: unknown[]): string {
  const projectIds = bind(
    values,
    stale.map(({ projectId }) => projectId),
  );
  const hours = bind(
    values,
    stale.map(({ hourMs }) => new Date(hourMs)),
  );
  return `unnest(${projectIds}::uuid[], ${hours}::timestamptz[]) AS stale (project_id, hour)`;
}
