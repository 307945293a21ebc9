import type { Pool } from '../../src/database/database.ts';
import type { Severity } from '../../src/events/severity.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { markLateHours } from './late-hours.ts';

export interface PastSeries {
  type: string;
  severity: Severity;
  source: string | null;
  /** True for failed payments with a severity milder than error. */
  failedPayments?: boolean;
}

/** Fills the counts of a series, minute by minute, as if its events had been stored. */
export async function insertPastCounts(
  pool: Pool,
  project: { organizationId: string; id: string },
  { type, severity, source, failedPayments = false }: PastSeries,
  { startMs, counts }: { startMs: number; counts: number[] },
): Promise<void> {
  const [organizationId, projectId] = [toUuid('org', project.organizationId), toUuid('proj', project.id)];
  if (!organizationId || !projectId) throw new Error(`${project.id} is no id of a project.`);
  await pool.query(
    `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, count, failed_payments)
      SELECT $1, $2, to_timestamp($6::float8 / 1000 + 60 * (index - 1)), $3, $4, $5, count,
        CASE WHEN $8 THEN count ELSE 0 END
      FROM unnest($7::bigint[]) WITH ORDINALITY AS past(count, index) WHERE count > 0`,
    [organizationId, projectId, severity, type, source, startMs, counts, failedPayments],
  );
  const minutes = counts.map((_, index) => ({ projectId, minuteMs: startMs + index * 60_000 }));
  await markLateHours(pool, organizationId, minutes);
}
