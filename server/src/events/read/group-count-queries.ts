import type { Queryable } from '../../database/database.ts';
import { nameOfNumber } from '../../environments/numbers.ts';
import { RELEASE } from '../../releases/event-columns.ts';
import { hasOneOfKeys } from '../event-keys.ts';
import { findGroupFingerprints } from '../group-queries.ts';
import type { GroupEnvironments, GroupReleaseRow, GroupReleases, ReleasePage } from '../read-types.ts';
import { type ScanRow, scanNewest, toScan } from '../scan-newest.ts';
import { bind } from '../where.ts';

/** Maximum scanned events of a group for its releases: a second of reading. */
const MAX_SCANNED = 20_000;
/** Maximum scanned events for its environments, which are counted with each read of the group. */
const MAX_SCANNED_OF_ENVIRONMENTS = 5_000;

/**
 * The releases that the events of a group name, the last in the order of appearance first; none for the catch-all
 * group.
 */
export async function countReleasesOfGroup(
  database: Queryable,
  organizationId: string,
  groupId: string,
  { after, limit }: ReleasePage,
): Promise<GroupReleases> {
  const group = await findGroupFingerprints(database, organizationId, groupId);
  if (!group?.fingerprints) return { releases: [], readEvents: 0, scan: null };
  const values: unknown[] = [organizationId, group.projectId];
  const scanned = newestOf(
    group.fingerprints,
    { columns: `${RELEASE} AS version`, limit: MAX_SCANNED },
    values,
  );
  const number = bind(values, after?.number ?? null);
  const { rows } = await database.query<GroupReleaseRow & ScanRow>(
    `WITH ${scanned}, counted AS (SELECT version, count(*) AS events FROM scanned GROUP BY 1)
      SELECT counted.version, counted.events, r.deployed_at AS "deployedAt", r.number, scan.*
      FROM scan CROSS JOIN counted
      LEFT JOIN releases AS r ON r.project_id = $2 AND r.version = counted.version
      WHERE ${number}::bigint IS NULL OR r.number IS NULL OR r.number < ${number}
      ORDER BY r.number DESC NULLS LAST, counted.version
      LIMIT ${bind(values, limit + 1)} OFFSET ${bind(values, after?.value ?? 0)}`,
    values,
  );
  return { releases: rows, readEvents: rows[0]?.scannedEvents ?? 0, scan: toScan(rows[0]) };
}

/** Counts the newest events of a group by environment; null for the catch-all group. */
export async function countEnvironmentsOfGroup(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<GroupEnvironments | null> {
  const group = await findGroupFingerprints(database, organizationId, groupId);
  if (!group?.fingerprints) return null;
  const values: unknown[] = [organizationId, group.projectId];
  const scanned = newestOf(
    group.fingerprints,
    { columns: 'environment', limit: MAX_SCANNED_OF_ENVIRONMENTS },
    values,
  );
  const { rows } = await database.query<GroupEnvironments['counts'][number] & ScanRow>(
    `WITH ${scanned}, counted AS (SELECT environment, count(*) AS count FROM scanned GROUP BY 1)
      SELECT ${nameOfNumber('counted.environment', '$2')} AS environment, counted.count, scan.*
      FROM scan CROSS JOIN counted`,
    values,
  );
  return {
    counts: rows.map(({ environment, count }) => ({ environment, count })),
    scan: toScan(rows[0]),
  };
}

/** CTEs of the newest events with these fingerprints, in the organization and project of the first two values. */
function newestOf(
  fingerprints: string[],
  { columns, limit }: { columns: string; limit: number },
  values: unknown[],
): string {
  const bound = fingerprints.map((fingerprint) => bind(values, fingerprint));
  const events = `events WHERE ${hasOneOfKeys('fingerprint', '$1', bound)} AND project_id = $2 ORDER BY id DESC`;
  return scanNewest({ columns, events, filter: [], limit });
}
