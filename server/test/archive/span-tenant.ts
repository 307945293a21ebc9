import type { Pool } from '../../src/database/database.ts';
import type { GroupPlace } from '../../src/events/read-types.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { insertTenant } from '../support/tenants.ts';
import { insertVariedEvents } from './varied-events.ts';

/** Number of events of each moment: the boundary of a page lies within one. */
const PER_MOMENT = 3;

export interface SpanTenant {
  organizationId: string;
  projectIds: string[];
  /** Groups of the first project: one that another was merged into, and that of all further events. */
  groups: GroupPlace[];
  /** Fingerprints of the first group, and of the one that was merged into it. */
  fingerprints: string[];
  firstMs: number;
  endMs: number;
}

/** An organization with events over some weeks, their counts, groups of some of them, and environments with names. */
export async function insertSpanTenant(
  pool: Pool,
  { firstMs, stepMs, count }: { firstMs: number; stepMs: number; count: number },
): Promise<SpanTenant> {
  const { organizationId, projectIds } = await insertTenant(pool, 2);
  const [projectId = ''] = projectIds;
  await insertVariedEvents(pool, {
    organizationId,
    projectIds,
    count,
    firstMs,
    stepMs,
    perMoment: PER_MOMENT,
  });
  await pool.query(
    `INSERT INTO environments (project_id, number, name, is_watched)
      SELECT project, number, name, number <> 2 FROM unnest($1::uuid[]) AS project, (VALUES (2, 'staging'), (4, 'canary')) AS e (number, name)`,
    [projectIds],
  );
  await pool.query(
    'UPDATE events SET environment = 4 WHERE organization_id = $1 AND environment = 1 AND get_byte(uuid_send(id), 15) % 8 = 0',
    [organizationId],
  );
  await pool.query(
    `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, environment, count, failed_payments, alerts)
      SELECT organization_id, project_id, date_trunc('minute', to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000)), severity, type, source,
        environment, sum(coalesce(weight, 1)),
        coalesce(sum(coalesce(weight, 1)) FILTER (WHERE failed_payment AND severity < 'error'), 0),
        coalesce(sum(coalesce(weight, 1)) FILTER (WHERE is_alert), 0)
      FROM events WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    [organizationId],
  );
  const groups = [newUuid(1), newUuid(1), newUuid(1)].map((id, index) => ({
    id,
    projectId,
    number: index,
    firstSeen: new Date(firstMs),
  }));
  const [more, head, merged] = groups.map(({ id }) => id);
  const { rows } = await pool.query<{ fingerprint: string }>(
    `WITH kinds AS (
        SELECT 'more' AS fingerprint, 0 AS number UNION ALL SELECT md5('2'), 1 UNION ALL SELECT md5('4'), 2
      ), begun AS (
        INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, severity, count, first_seen, last_seen, merged_into)
        SELECT ($3::uuid[])[1 + number], $1, $2, number, fingerprint, 'title', 'type', 'error', 1, $5, $5,
          CASE number WHEN 2 THEN $4::uuid END FROM kinds
      )
      INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number)
      SELECT $2, fingerprint, ($3::uuid[])[1 + number], number FROM kinds RETURNING fingerprint`,
    [organizationId, projectId, [more, head, merged], head, new Date(firstMs)],
  );
  return {
    organizationId,
    projectIds,
    groups: groups.slice(0, 2),
    fingerprints: rows.map(({ fingerprint }) => fingerprint).filter((fingerprint) => fingerprint !== 'more'),
    firstMs,
    endMs: firstMs + count * stepMs,
  };
}
