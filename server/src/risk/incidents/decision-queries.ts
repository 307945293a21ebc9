import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import type { DecisionRow } from './decision.ts';
import type { DecisionOutcome } from './schema.ts';

const COLUMNS = `id, organization_id AS "organizationId", project_id AS "projectId", incident_id AS "incidentId",
  outcome, reason, series, sentence, observed, expected, window_seconds AS "windowSeconds", decided_at AS "decidedAt"`;

/** Inserts all in one statement; the caller knows which projects exist. */
export async function insertDecisions(database: Queryable, decisions: readonly DecisionRow[]): Promise<void> {
  if (decisions.length === 0) return;
  await database.query(
    `INSERT INTO risk_decisions (id, organization_id, project_id, incident_id, outcome, reason, series, sentence,
        observed, expected, window_seconds, decided_at)
      SELECT "id", "organizationId", "projectId", "incidentId", "outcome", "reason", "series", "sentence",
        "observed", "expected", "windowSeconds", "decidedAt"
      FROM jsonb_to_recordset($1) AS decision("id" uuid, "organizationId" uuid, "projectId" uuid, "incidentId" uuid,
        "outcome" text, "reason" text, "series" jsonb, "sentence" text, "observed" float8, "expected" float8,
        "windowSeconds" float8, "decidedAt" timestamptz)`,
    [JSON.stringify(decisions)],
  );
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listDecisions(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { outcome, cursor, limit }: { outcome: DecisionOutcome | null; cursor: string | null; limit: number },
): Promise<DecisionRow[]> {
  const { rows } = await database.query<DecisionRow>(
    `SELECT ${COLUMNS} FROM risk_decisions
      WHERE organization_id = $1 AND project_id = $2
        AND ($3::text IS NULL OR outcome = $3) AND ($4::uuid IS NULL OR id < $4)
      ORDER BY id DESC LIMIT $5 + 1`,
    [organizationId, projectId, outcome, cursor, limit],
  );
  return rows;
}

/**
 * Deletes at most `limit` decisions from before a time.
 * @returns how many were deleted
 */
export async function deleteDecisionsBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    'DELETE FROM risk_decisions WHERE id IN (SELECT id FROM risk_decisions WHERE id < $1 ORDER BY id LIMIT $2)',
    [uuidLowerBound(before.getTime()), limit],
  );
  return rowCount ?? 0;
}
