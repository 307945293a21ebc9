import type { Queryable } from '../database/database.ts';
import { INCIDENT_COLUMNS } from './queries.ts';
import type { IncidentRow } from './rows.ts';

export interface PreviousRow extends IncidentRow {
  resolvedBy: string | null;
  resolverName: string | null;
  isResolvedByPerson: boolean;
  /** By people, the newest first. */
  notes: { at: string; userId: string; userName: string | null; note: string }[];
  noteCount: number;
}

/**
 * The incidents before one that are of the same cause, the newest first: of the same kind of series with its type and
 * source, of new errors those of the same error; of the same declared schedule; and the one that it named as its predecessor
 * when it opened.
 */
export async function listPreviousIncidents(
  database: Queryable,
  { organizationId, projectId, id, previousIncidentId, scheduleId, evidence }: IncidentRow,
  { limit, notes }: { limit: number; notes: number },
): Promise<PreviousRow[]> {
  if (!evidence && scheduleId === null) return [];
  const { type = null, source = null, kind = null, fingerprint = null } = evidence?.series ?? {};
  const { rows } = await database.query<PreviousRow>(
    `SELECT i.*, resolution.user_id AS "resolvedBy", resolver.name AS "resolverName",
        resolution.user_id IS NOT NULL AS "isResolvedByPerson", noted.notes, noted.count AS "noteCount"
      FROM (
        SELECT ${INCIDENT_COLUMNS} FROM incidents
        WHERE organization_id = $1 AND project_id = $2 AND id < $3 AND (id = $4 OR schedule_id = $11 OR
          type IS NOT DISTINCT FROM $5 AND source IS NOT DISTINCT FROM $6 AND evidence -> 'series' ->> 'kind' = $7
          AND ($7 <> 'new_kind' OR evidence -> 'series' ->> 'fingerprint' IS NOT DISTINCT FROM $8))
        ORDER BY id DESC LIMIT $9
      ) AS i
      LEFT JOIN LATERAL (
        SELECT user_id FROM incident_timeline
        WHERE incident_id = i.id AND i.status = 'resolved' AND after ->> 'status' = 'resolved' ORDER BY id DESC LIMIT 1
      ) AS resolution ON true
      LEFT JOIN users AS resolver ON resolver.id = resolution.user_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, coalesce(jsonb_agg(jsonb_build_object(
            'at', entry.created_at, 'userId', entry.user_id, 'userName', u.name, 'note', entry.note) ORDER BY entry.id DESC)
            FILTER (WHERE entry.place <= $10), '[]') AS notes
        FROM (
          SELECT *, row_number() OVER (ORDER BY id DESC) AS place FROM incident_timeline
          WHERE incident_id = i.id AND user_id IS NOT NULL AND note IS NOT NULL
        ) AS entry LEFT JOIN users AS u ON u.id = entry.user_id
      ) AS noted
      ORDER BY i.id DESC`,
    [
      organizationId,
      projectId,
      id,
      previousIncidentId,
      type,
      source,
      kind,
      fingerprint,
      limit,
      notes,
      scheduleId,
    ],
  );
  return rows;
}
