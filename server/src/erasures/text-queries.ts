import type { Queryable } from '../database/database.ts';
import type { TimelineRow } from '../incidents/rows.ts';
import { ERASED } from './replace-value.ts';

interface IncidentScan {
  afterId: string;
  limit: number;
  /** Text within a title or a note; null: none. */
  inText: string | null;
  /** Text within the evidence, the links, or a change of the timeline, as JSON. */
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
        SELECT id, title, evidence, links FROM incidents
        WHERE organization_id = $1 AND project_id = $2 AND id > $3 ORDER BY id LIMIT $4
      )
      SELECT (SELECT id FROM part ORDER BY id DESC LIMIT 1) AS "lastId", ARRAY(
          SELECT id FROM part
          WHERE strpos(title, $5) > 0 OR strpos(concat(evidence, links), $6) > 0 OR EXISTS (
            SELECT FROM incident_timeline AS t WHERE t.incident_id = part.id
              AND (strpos(note, $5) > 0 OR strpos(concat(before, after), $6) > 0))
          ORDER BY id
        ) AS "incidentIds"`,
    [organizationId, projectId, afterId, limit, inText, inJson],
  );
  return rows[0] ?? { lastId: null, incidentIds: [] };
}

export type Entry = Pick<TimelineRow, 'id' | 'before' | 'after' | 'note'>;

/** Entries with a text in the timeline of an incident. */
export async function listTimelineWith(
  database: Queryable,
  incidentId: string,
  { inText, inJson }: Pick<IncidentScan, 'inText' | 'inJson'>,
): Promise<Entry[]> {
  const { rows } = await database.query<Entry>(
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

/** Deletes the frames of an incident, which a newer one follows. @param incidentId as the API has it */
export async function deleteIncidentFrames(
  transaction: Queryable,
  projectId: string,
  incidentId: string,
): Promise<void> {
  await transaction.query(`DELETE FROM incident_frames WHERE project_id = $1 AND data ->> 'id' = $2`, [
    projectId,
    incidentId,
  ]);
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
/** SQL: rows of the organization `$1`; those of check-ins name their project alone. */
const ofOrganization = ([table]: TextColumn) =>
  table === 'check_ins' ? '$1::uuid IS NOT NULL' : 'organization_id = $1';

/**
 * Texts of a column that contain a text, in the order of their ids after one. The rows of the project come first: an order
 * by id with a limit alone would walk the rows of all organizations.
 * @param scope without a project: rows that are of none
 */
export async function listTextsWith(
  database: Queryable,
  textColumn: TextColumn,
  { organizationId, projectId }: { organizationId: string; projectId: string | null },
  { text, afterId, limit }: { text: string; afterId: string; limit: number },
): Promise<{ id: string; text: string }[]> {
  const [table, column] = textColumn;
  const ofProject = projectId === null ? 'IS NULL' : '= $5';
  const { rows } = await database.query<{ id: string; text: string }>(
    `WITH found AS MATERIALIZED (
        SELECT id, ${column} AS text FROM ${table}
        WHERE ${ofOrganization(textColumn)} AND project_id ${ofProject} AND strpos(${column}, $2) > 0
      )
      SELECT id, text FROM found WHERE id > $3 ORDER BY id LIMIT $4`,
    [organizationId, text, afterId, limit, ...(projectId === null ? [] : [projectId])],
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

/** Replaces the value of silences, which cover nothing from then on, those of all projects included. @returns how many */
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
        AND ($2::uuid IS NULL OR project_id IS NULL OR project_id = $2)`,
    [organizationId, projectId, key, value],
  );
  return rowCount ?? 0;
}
