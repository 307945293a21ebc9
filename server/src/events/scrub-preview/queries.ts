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

/**
 * The newest events of a project, up to a number and to a size as stored; one at least if there are any.
 */
export async function listNewestTexts(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { maxEvents, maxBytes }: { maxEvents: number; maxBytes: number },
): Promise<StoredTexts[]> {
  const { rows } = await database.query<StoredTexts>(
    `WITH newest AS (
        SELECT id, type, source, message, release, correlation, payload, scrubbed FROM events
        WHERE organization_id = $1 AND project_id = $2 ORDER BY id DESC LIMIT $3
      ), sized AS (
        SELECT *, sum(pg_column_size(payload) + pg_column_size(message)) OVER (ORDER BY id DESC)
          - pg_column_size(payload) - pg_column_size(message) AS bytes_before FROM newest
      )
      SELECT id, type, source, message, release, correlation, payload, scrubbed FROM sized
      WHERE bytes_before < $4 ORDER BY id DESC`,
    [organizationId, projectId, maxEvents, maxBytes],
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
