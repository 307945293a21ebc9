import type { Queryable } from '../database/database.ts';
import type { TimelineRow } from '../incidents/rows.ts';
import { ERASED } from './replace-value.ts';

interface IncidentScan {
  afterId: string;
  limit: number;
  /** Text within a title or a note; null: none. */
  inText: string | null;
  /** Text within the evidence, or a change of the timeline, as JSON. */
  inJson: string;
}

/** Incidents with a text, among the next ones of a project in the order of their ids. */
export async function listIncidentsWith(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { afterId, limit, inText, inJson }: IncidentScan,
): Promise<{ lastId: string | null; incidentIds: string[] }> {
  const { rows } = await database.query<{ lastId: string | null; incidentIds: string[] }>(
    `WITH part AS MATERIALIZED (
        SELECT id, title, evidence FROM incidents
        WHERE organization_id = $1 AND project_id = $2 AND id > $3 ORDER BY id LIMIT $4
      )
      SELECT (SELECT id FROM part ORDER BY id DESC LIMIT 1) AS "lastId", ARRAY(
          SELECT id FROM part
          WHERE strpos(title, $5) > 0 OR strpos(evidence::text, $6) > 0 OR EXISTS (
            SELECT FROM incident_timeline AS t WHERE t.incident_id = part.id
              AND (strpos(note, $5) > 0 OR strpos(concat(before, after), $6) > 0))
          ORDER BY id
        ) AS "incidentIds"`,
    [organizationId, projectId, afterId, limit, inText, inJson],
  );
  return rows[0] ?? { lastId: null, incidentIds: [] };
}

type Entry = Pick<TimelineRow, 'id' | 'before' | 'after' | 'note'>;

/** Entries with a text in the timeline of an incident, which is locked. */
export async function listTimelineWith(
  transaction: Queryable,
  incidentId: string,
  { inText, inJson }: Pick<IncidentScan, 'inText' | 'inJson'>,
): Promise<Entry[]> {
  const { rows } = await transaction.query<Entry>(
    `SELECT id, before, after, note FROM incident_timeline
      WHERE incident_id = $1 AND (strpos(note, $2) > 0 OR strpos(concat(before, after), $3) > 0)`,
    [incidentId, inText, inJson],
  );
  return rows;
}

export async function updateTimelineTexts(transaction: Queryable, entry: Entry): Promise<void> {
  const { id, before, after, note } = entry;
  await transaction.query('UPDATE incident_timeline SET before = $2, after = $3, note = $4 WHERE id = $1', [
    id,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    note,
  ]);
}

/** Deletes frames of a project that contain a text: a newer one of the same incident follows them. */
export async function deleteFramesWith(
  transaction: Queryable,
  projectId: string,
  inJson: string,
): Promise<void> {
  await transaction.query(
    'DELETE FROM incident_frames WHERE project_id = $1 AND strpos(data::text, $2) > 0',
    [projectId, inJson],
  );
}

/** Further columns with texts, of tables with an id and a project. */
export const TEXT_COLUMNS = [
  ['check_ins', 'body'],
  ['deliveries', 'last_body'],
  ['deliveries', 'last_reason'],
  ['risk_decisions', 'sentence'],
  ['silences', 'reason'],
] as const;
type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Texts of a column that contain a text, in the order of their ids after one. */
export async function listTextsWith(
  database: Queryable,
  [table, column]: TextColumn,
  projectId: string,
  { text, afterId, limit }: { text: string; afterId: string; limit: number },
): Promise<{ id: string; text: string }[]> {
  const { rows } = await database.query<{ id: string; text: string }>(
    `SELECT id, ${column} AS text FROM ${table} WHERE project_id = $1 AND id > $3 AND strpos(${column}, $2) > 0
      ORDER BY id LIMIT $4`,
    [projectId, text, afterId, limit],
  );
  return rows;
}

export async function updateText(
  database: Queryable,
  [table, column]: TextColumn,
  id: string,
  text: string,
): Promise<void> {
  await database.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, text]);
}

/** Replaces the value of silences, which cover nothing from then on. @returns how many */
export async function updateSilencedValues(
  database: Queryable,
  {
    organizationId,
    projectId,
    key,
    value,
  }: { organizationId: string; projectId: string | null; key: string | null; value: string },
): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE silences SET correlation_value = '${ERASED}'
      WHERE organization_id = $1 AND correlation_value = $4 AND ($3::text IS NULL OR correlation_key = $3)
        AND ($2::uuid IS NULL OR project_id = $2)`,
    [organizationId, projectId, key, value],
  );
  return rowCount ?? 0;
}
