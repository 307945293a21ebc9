import type { Queryable } from '../../database/database.ts';
import type { ScrubCounts } from '../../scrubbing/schema.ts';
import type { ReplacedValues } from './schema.ts';

export interface StoredTexts {
  id: string;
  type: string;
  source: string | null;
  message: string;
  release: string | null;
  correlation: Record<string, unknown>;
  payload: Record<string, unknown>;
  scrubbed: ScrubCounts | null;
}

/** Id after those of all events. UUID. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The newest events of a project, up to a number and to a size; one at least if there are any. They are measured one after
 * the other, and no further than they are read: a payload may be a hundred times as large as it is stored.
 */
export async function listNewestTexts(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { maxEvents, maxBytes }: { maxEvents: number; maxBytes: number },
): Promise<StoredTexts[]> {
  const { rows } = await database.query<StoredTexts>(
    `WITH RECURSIVE newest AS (
        SELECT $5::uuid AS id, 0 AS position, 0 AS bytes
        UNION ALL
        SELECT next.id, position + 1, bytes + octet_length(next.payload::text) + octet_length(next.message)
        FROM newest CROSS JOIN LATERAL (
          SELECT id, payload, message FROM events
          WHERE organization_id = $1 AND project_id = $2 AND id < newest.id ORDER BY id DESC LIMIT 1
        ) AS next
        WHERE position < $3 AND bytes < $4
      )
      SELECT id, type, source, message, release, correlation, payload, scrubbed FROM events
      WHERE organization_id = $1 AND project_id = $2
        AND id >= (SELECT id FROM newest ORDER BY position DESC LIMIT 1) ORDER BY id DESC LIMIT $3`,
    [organizationId, projectId, maxEvents, maxBytes, LAST_ID],
  );
  return rows;
}

/** Values that were replaced in the last 30 days, by rule. */
export async function countScrubbedValues(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<ReplacedValues> {
  const { rows } = await database.query<ReplacedValues[number]>(
    `SELECT rule, sum(quantity)::bigint AS quantity,
        coalesce(sum(quantity) FILTER (WHERE day = date_trunc('day', now(), 'UTC')), 0)::bigint AS today
      FROM scrubbed_values WHERE project_id = (
          SELECT id FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL)
        AND day > now() - interval '30 days' AND day < now() + interval '1 minute'
      GROUP BY rule ORDER BY 2 DESC, rule`,
    [organizationId, projectId],
  );
  return rows;
}
