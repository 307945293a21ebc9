import type { Queryable } from '../../database/database.ts';
import { FIXED_NUMBERS, isOfWatched } from '../../environments/numbers.ts';
import { eventCount } from '../../events/event-count.ts';
import { MORE_FINGERPRINT } from '../../events/group-queries.ts';
import type { Scan } from '../../events/reader.ts';
import { type ScanRow, scanNewest, toScan } from '../../events/scan-newest.ts';
import type { Severity } from '../../events/severity.ts';
import { all, bind } from '../../events/where.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { RELEASE } from '../../releases/event-columns.ts';

export interface CountRequest {
  organizationId: string;
  projectId: string;
  version: string;
  /** Number of the environment; null: all watched ones. */
  environment: number | null;
  /** Range of the capture; null: unbounded. */
  fromMs: number | null;
  beforeMs: number | null;
  maxScanned: number;
}

export interface CountedGroup {
  id: string;
  severity: Severity;
  firstRelease: string | null;
  events: number;
}

export interface ReleaseCounts {
  events: number;
  errors: number;
  /** Groups with events, merged ones as their heads. */
  groups: CountedGroup[];
  /** Null: all events of the range were counted. */
  scan: Scan | null;
}

type CountRow = ScanRow & { errors: number | null } & (
    | { events: null }
    | (CountedGroup & { events: number })
  );

/** Counts the newest events of a release in a range, in all and by group. @param request of a project that was checked before */
export async function countRelease(database: Queryable, request: CountRequest): Promise<ReleaseCounts> {
  const { organizationId, projectId, version, environment, fromMs, beforeMs, maxScanned } = request;
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
  const counts: ReleaseCounts = { events: 0, errors: 0, groups: [], scan: toScan(rows[0]) };
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

/** Ids of all groups that have had events of a release, merged ones as their heads. @param projectId project that was checked before */
export async function listGroupsOfRelease(
  database: Queryable,
  projectId: string,
  version: string,
): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT DISTINCT coalesce(g.merged_into, g.id) AS id
      FROM group_releases AS named JOIN groups AS g ON g.id = named.group_id
      WHERE named.project_id = $1 AND named.release = $2`,
    [projectId, version],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface ComparedEnvironment {
  /** Number that no event has if the environment is unknown. */
  number: number;
  isWatched: boolean;
}

const NO_SUCH_NUMBER = -1;

/** @param projectId project that was checked before */
export async function findEnvironment(
  database: Queryable,
  projectId: string,
  name: string,
): Promise<ComparedEnvironment> {
  const { rows } = await database.query<ComparedEnvironment>(
    'SELECT number, is_watched AS "isWatched" FROM environments WHERE project_id = $1 AND name = $2',
    [projectId, name],
  );
  const number = FIXED_NUMBERS.get(name) ?? rows[0]?.number ?? NO_SUCH_NUMBER;
  return { number, isWatched: rows[0]?.isWatched ?? true };
}
