import type { Pool } from '../../src/database/database.ts';
import { toUuid } from '../../src/platform/ids.ts';

/** SQL of a value for each event, over its number `n`, from 0 on. */
export interface StoredEvents {
  count: number;
  /** Of the event 0, the oldest. */
  firstMs: number;
  /** By how much each is newer than the one before; default: 1. */
  stepMs?: number;
  type?: string;
  severity?: string;
  message?: string;
  fingerprint?: string;
  payload?: string;
}

/** Writes events and their counts straight into the store: many or large ones take no time to be sent and processed. */
export async function storeEvents(
  pool: Pool,
  project: { organizationId: string; id: string },
  {
    count,
    firstMs,
    stepMs = 1,
    type = "'load'",
    severity = "'info'",
    message = "'m'",
    fingerprint = "'f'",
    payload = "'{}'",
  }: StoredEvents,
): Promise<void> {
  await pool.query(
    `WITH stored AS (
        INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
          correlation_id, fingerprint, correlation, payload)
        SELECT (lpad(to_hex($3::bigint + n * ${stepMs}), 12, '0') || '7000' || lpad(to_hex(n), 16, '0'))::uuid, $1, $2,
          to_timestamp(($3::bigint + n * ${stepMs}) / 1000.0), (${severity})::severity, ${type}, NULL, ${message}, 'c', ${fingerprint}, '{}',
          (${payload})::jsonb
        FROM generate_series(0, ${count - 1}) AS n
        RETURNING *
      )
      INSERT INTO event_counts
      SELECT organization_id, project_id,
        to_timestamp(('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint / 60000 * 60),
        severity, type, source, count(*)
      FROM stored GROUP BY 1, 2, 3, 4, 5, 6`,
    [toUuid('org', project.organizationId), toUuid('proj', project.id), firstMs],
  );
}
