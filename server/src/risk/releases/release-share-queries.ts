import type { Queryable } from '../../database/database.ts';
import { isOfWatched, isWatchedName } from '../../environments/numbers.ts';
import type { SharesRequest } from '../../events/read-types.ts';
import { MINUTE_MS } from '../../platform/durations.ts';

/**
 * Counts of errors of the series in as many equal bins before a time, by the minute of capture; bins without any are
 * 0.
 */
export async function listErrorBins(
  database: Queryable,
  organizationId: string,
  { projectId, series, fromMs }: SharesRequest,
  { bins, minutes }: { bins: number; minutes: number },
): Promise<number[]> {
  const firstMs = fromMs - bins * minutes * MINUTE_MS;
  const { rows } = await database.query<{ bin: number; count: number }>(
    `SELECT floor((extract(epoch FROM minute) * 1000 - $3) / $4)::int AS bin, sum(count - alerts)::bigint AS count
      FROM event_counts
      WHERE organization_id = $1 AND project_id = $2 AND minute >= $5 AND minute < $6 AND ${isOfWatched('$2')} AND severity >= 'error'
        AND ($7::text IS NULL OR source = $7) AND ($8::text IS NULL OR type = $8)
      GROUP BY 1`,
    [
      organizationId,
      projectId,
      firstMs,
      minutes * MINUTE_MS,
      new Date(firstMs),
      new Date(fromMs),
      series.source,
      series.type,
    ],
  );
  const counts = Array.from({ length: bins }, () => 0);
  for (const { bin, count } of rows) if (bin in counts) counts[bin] = count;
  return counts;
}

/** @param projectId project that was checked before */
export async function hasReleases(database: Queryable, projectId: string): Promise<boolean> {
  const { rows } = await database.query('SELECT 1 FROM releases WHERE project_id = $1 LIMIT 1', [projectId]);
  return rows.length > 0;
}

export interface ReleaseTimes {
  /** Null: no deploy to a watched environment was reported. */
  deployedAt: Date | null;
  firstSeen: Date | null;
}

/** @param projectId project that was checked before */
export async function findReleaseTimes(
  database: Queryable,
  projectId: string,
  release: string,
): Promise<ReleaseTimes | null> {
  const { rows } = await database.query<ReleaseTimes>(
    `SELECT (
        SELECT min(d.deployed_at) FROM deploys AS d
        WHERE d.project_id = $1 AND d.release = $2 AND ${isWatchedName('d.environment', 'd.project_id')}
      ) AS "deployedAt", first_seen AS "firstSeen" FROM releases WHERE project_id = $1 AND version = $2`,
    [projectId, release],
  );
  return rows[0] ?? null;
}
