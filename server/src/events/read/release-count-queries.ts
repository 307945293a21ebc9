import type { Queryable } from '../../database/database.ts';
import { isOfWatched } from '../../environments/numbers.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { RELEASE } from '../../releases/event-columns.ts';
import { eventCount } from '../event-count.ts';
import { MORE_FINGERPRINT } from '../group-queries.ts';
import type { CountedGroup, ReleaseCounting, ReleaseTotals } from '../read-types.ts';
import { type ScanRow, scanNewest, toScan } from '../scan-newest.ts';
import { all, bind } from '../where.ts';

type CountRow = ScanRow & { errors: number | null } & (
    | { events: null }
    | (CountedGroup & { events: number })
  );

/** Counts the newest events of a release in a range, in all and by group. @param request of a project that was checked before */
export async function countRelease(
  database: Queryable,
  organizationId: string,
  request: ReleaseCounting,
): Promise<ReleaseTotals> {
  const { projectId, version, environment, fromMs, beforeMs, maxScanned } = request;
  const values: unknown[] = [organizationId, projectId];
  const where = ['organization_id = $1', 'project_id = $2'];
  if (fromMs !== null) where.push(`id >= ${bind(values, uuidLowerBound(fromMs))}`);
  if (beforeMs !== null) where.push(`id < ${bind(values, uuidLowerBound(beforeMs))}`);
  const scan = scanNewest({
    columns: 'fingerprint, weight',
    events: `events WHERE ${all(where)} ORDER BY id DESC`,
    filter: [
      `${RELEASE} = ${bind(values, version)}`,
      environment === null ? isOfWatched('$2') : `environment = ${bind(values, environment)}::smallint`,
    ],
    limit: maxScanned,
  });
  const { rows } = await database.query<CountRow>(
    `WITH ${scan}, counted AS (
        SELECT fingerprint, ${eventCount()} AS events, ${eventCount("severity >= 'error'")} AS errors
        FROM scanned WHERE found GROUP BY 1
      ), grouped AS (
        SELECT coalesce(g.merged_into, g.id) AS id, sum(counted.events)::bigint AS events,
          sum(counted.errors)::bigint AS errors
        FROM counted
        LEFT JOIN group_fingerprints AS own ON own.project_id = $2 AND own.fingerprint = counted.fingerprint
        LEFT JOIN groups AS g ON g.id = coalesce(own.group_id, (
          SELECT group_id FROM group_fingerprints WHERE project_id = $2 AND fingerprint = '${MORE_FINGERPRINT}'))
        GROUP BY 1
      )
      SELECT scan.*, grouped.events, grouped.errors, head.id, head.severity, head.first_release AS "firstRelease"
      FROM scan LEFT JOIN grouped ON true LEFT JOIN groups AS head ON head.id = grouped.id`,
    values,
  );
  const counts: ReleaseTotals = { events: 0, errors: 0, groups: [], scan: toScan(rows[0]) };
  for (const row of rows) {
    if (row.events === null) continue;
    counts.events += row.events;
    counts.errors += row.errors ?? 0;
    const { id, severity, firstRelease, events } = row;
    // Retention may have removed the group of the last events.
    if (id) counts.groups.push({ id, severity, firstRelease, events });
  }
  return counts;
}
