import type { Queryable } from '../../database/database.ts';
import { INCIDENT_COLUMNS } from '../queries.ts';
import { groupsOfLead, sharesGroup } from '../risk-queries.ts';
import type { IncidentRow } from '../rows.ts';

export interface PreviousRow extends IncidentRow {
  resolvedBy: string | null;
  resolverName: string | null;
  isResolvedByPerson: boolean;
  /** Notes by people, the newest first. */
  notes: { at: string; userId: string; userName: string | null; note: string }[];
  noteCount: number;
}

/**
 * Earlier incidents of the same cause, the newest first: those that share a group with it or had the same lead; those
 * of the same declared schedule; and the one that it named as its predecessor when it opened.
 */
export async function listPreviousIncidents(
  database: Queryable,
  { organizationId, projectId, id, previousIncidentId, scheduleId, evidence }: IncidentRow,
  { limit, notes }: { limit: number; notes: number },
): Promise<PreviousRow[]> {
  if (!evidence && scheduleId === null) return [];
  const { rows } = await database.query<PreviousRow>(
    `SELECT i.*, resolution.user_id AS "resolvedBy", resolver.name AS "resolverName",
        resolution.user_id IS NOT NULL AS "isResolvedByPerson", noted.notes, noted.count AS "noteCount"
      FROM (
        SELECT ${INCIDENT_COLUMNS} FROM incidents
        WHERE organization_id = $1 AND project_id = $2 AND id < $3
          AND (id = $4 OR schedule_id = $5 OR evidence -> 'series' = $6::jsonb OR ${sharesGroup('$7')})
        ORDER BY id DESC LIMIT $8
      ) AS i
      LEFT JOIN LATERAL (
        SELECT user_id FROM incident_timeline
        WHERE incident_id = i.id AND i.status = 'resolved' AND after ->> 'status' = 'resolved' ORDER BY id DESC LIMIT 1
      ) AS resolution ON true
      LEFT JOIN users AS resolver ON resolver.id = resolution.user_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, coalesce(jsonb_agg(jsonb_build_object(
            'at', entry.created_at, 'userId', entry.user_id, 'userName', u.name, 'note', entry.note) ORDER BY entry.id DESC)
            FILTER (WHERE entry.place <= $9), '[]') AS notes
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
      scheduleId,
      evidence && JSON.stringify(evidence.series),
      groupsOfLead(evidence?.lead ?? null),
      limit,
      notes,
    ],
  );
  return rows;
}
