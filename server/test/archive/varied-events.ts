import type { Pool } from '../../src/database/database.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';

interface VariedEvents {
  organizationId: string;
  projectIds: readonly string[];
  count: number;
  firstMs: number;
  stepMs: number;
  /** Number of events of each moment; default: 1. */
  perMoment?: number;
}

/** Writes events that differ in each column, with every form of text that a format could misread. */
export async function insertVariedEvents(
  pool: Pool,
  { organizationId, projectIds, count, firstMs, stepMs, perMoment = 1 }: VariedEvents,
): Promise<void> {
  await ensurePartitions(pool, firstMs, firstMs + count * stepMs);
  await pool.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message, correlation_id, fingerprint,
        release, correlation, payload, failed_payment, amount, currency, changed, fingerprint_version, environment, is_alert, scrubbed, weight)
      SELECT (lpad(to_hex($3::bigint + n / $6::int * $5::bigint), 12, '0') || '7000' || lpad(to_hex((n * 7919) % 65536), 4, '8')
          || lpad(to_hex(n), 12, '0'))::uuid,
        $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])], to_timestamp(($3::bigint + n * $5::bigint + 5) / 1000.0),
        (enum_range(NULL::severity))[1 + n % 4], 'type ' || n % 5,
        CASE WHEN n % 3 > 0 THEN 'source-' || n % 3 END,
        (ARRAY['plain', E'tab\\there', E'line\\nbreak', 'back\\slash', 'it''s "quoted"', 'Grüße, 日本 🚀', E'\\\\N', '100%_sure'])[1 + n % 8] || ' ' || n,
        'corr-' || n % 50, md5((n % 20)::text), CASE WHEN n % 4 > 0 THEN 'v' || n % 4 END,
        jsonb_build_object('user', 'u' || n % 7, 'order', n % 11, 'path', E'a/b\\\\c"d'),
        jsonb_build_object('n', n, 'deep', jsonb_build_object('list', jsonb_build_array(n % 2, 'x'), 'text', E'\\t' || n % 9), 'flag', n % 2 = 0),
        CASE WHEN n % 6 = 0 THEN n % 12 = 0 END, CASE WHEN n % 6 = 0 THEN 9007199254740000 + n END, CASE WHEN n % 6 = 0 THEN 'EUR' END,
        CASE n % 5 WHEN 0 THEN ARRAY['clock', 'fields'] WHEN 1 THEN ARRAY['severity'] END,
        1 + n % 2, CASE WHEN n % 10 = 0 THEN 2 ELSE 1 END, CASE WHEN n % 13 = 0 THEN true END,
        CASE WHEN n % 9 = 0 THEN '{"email": 2}'::jsonb END, CASE WHEN n % 15 = 0 THEN 12 END
      FROM generate_series(0, $4::int - 1) AS n`,
    [organizationId, projectIds, firstMs, count, stepMs, perMoment],
  );
}
