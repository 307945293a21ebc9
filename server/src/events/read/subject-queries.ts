import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { hasKey } from '../event-keys.ts';
import type { EventSubject, SubjectEventRow } from '../read-types.ts';

/** Maximum newest events of the project that are scanned for those of an incident's headline. */
const SCANNED_EVENTS = 5_000;
const READ_EVENTS = 100;

/** The newest events of a group, or of the headline of an incident since its window began. */
export async function listEventsOfSubject(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { groupId, fingerprint, type, source, eventSeverity, from }: EventSubject,
): Promise<SubjectEventRow[]> {
  if (groupId === null && from === null) return [];
  const isGroup = groupId !== null && fingerprint !== null;
  const { rows } = await database.query<SubjectEventRow>(
    `SELECT coalesce(g.merged_into, g.id) AS "groupId", e.correlation
      FROM (SELECT * FROM (
          SELECT id, type, source, severity, fingerprint, correlation FROM events
          WHERE organization_id = $1 AND project_id = $2 AND id >= $7 ${isGroup ? `AND ${hasKey('fingerprint', '$1', '$6')}` : ''}
          ORDER BY id DESC LIMIT ${isGroup ? READ_EVENTS : SCANNED_EVENTS}
        ) AS scanned
        WHERE ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR source = $4)
          AND ($5::severity IS NULL OR severity = $5) AND ($6::text IS NULL OR fingerprint = $6)
        ORDER BY id DESC LIMIT ${READ_EVENTS}) AS e
        LEFT JOIN group_fingerprints f ON f.project_id = $2 AND f.fingerprint = e.fingerprint
        LEFT JOIN groups g ON g.id = f.group_id`,
    [
      organizationId,
      projectId,
      isGroup ? null : type,
      isGroup ? null : source,
      eventSeverity,
      fingerprint,
      uuidLowerBound(from?.getTime() ?? 0),
    ],
  );
  return rows;
}
