import type { Queryable } from '../../database/database.ts';
import { isoTime } from '../../platform/time.ts';
import { HASH_IN_CLICKHOUSE } from './block-rows.ts';
import type { ArchiveParameters, EventArchive, HeldBlock } from './event-archive.ts';

/* Events that are to be removed from the archive. */

/**
 * Time that the search in a week may take: of a value it reads all of an organization. Nothing arrives meanwhile, and the client ends
 * connections that are silent for 120 s.
 */
const MAX_SEARCH_MS = 100_000;

/** Events to be removed. Times are ISO 8601. */
export type Removal =
  | { kind: 'project'; condition: { organizationId: string; projectId: string } }
  | {
      kind: 'value';
      /** Key null: the value under every key. Events received after `until` stay. */
      condition: {
        organizationId: string;
        projectIds: string[];
        key: string | null;
        value: string;
        until: string;
      };
    }
  | {
      kind: 'severity';
      /** Projects that keep these events for the same time. */
      condition: { organizationIds: string[]; projectIds: string[]; severity: string; before: string };
    }
  | { kind: 'week'; condition: { week: string } };

/** Events of a block and a project that a removal found. */
export interface FoundEvents extends HeldBlock {
  number: number;
  projectId: string;
}

export type Deletion = Removal & { id: number; erasureId: string | null; found: FoundEvents[] | null };

/** The next removal that is not done, in the order of requests. */
export async function findDeletion(database: Queryable): Promise<Deletion | null> {
  const { rows } = await database.query<Deletion>(
    `SELECT id, kind, condition, erasure_id AS "erasureId", found FROM archive_deletions
      WHERE NOT is_done ORDER BY id LIMIT 1`,
  );
  return rows[0] ?? null;
}

export async function insertDeletion(
  database: Queryable,
  { kind, condition }: Removal,
  erasureId: string | null = null,
): Promise<void> {
  await database.query('INSERT INTO archive_deletions (kind, condition, erasure_id) VALUES ($1, $2, $3)', [
    kind,
    JSON.stringify(condition),
    erasureId,
  ]);
}

/**
 * Has the events removed that projects keep for less time than the archive, counted from a time. One request for all projects that keep
 * a severity as long: each rewrites the parts of a week that have such events.
 */
export async function insertSeverityDeletions(database: Queryable, countedFrom: Date): Promise<void> {
  await database.query(
    `INSERT INTO archive_deletions (kind, condition)
      SELECT 'severity', jsonb_build_object('organizationIds', jsonb_agg(DISTINCT p.organization_id),
        'projectIds', jsonb_agg(p.id ORDER BY p.id), 'severity', kept.severity,
        'before', to_char(least(a.archived_until, $1::timestamptz - make_interval(hours => 24 * kept.days::int + 1)) AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM archive_state AS a, projects AS p CROSS JOIN LATERAL jsonb_each_text(p.retention) AS kept (severity, days)
      WHERE a.archived_until IS NOT NULL AND p.retention <> '{}' AND p.deleted_at IS NULL
      GROUP BY a.archived_until, kept.severity, kept.days ORDER BY kept.severity, kept.days::int`,
    [countedFrom],
  );
}

/** Remembers what a removal is going to remove, so that it can be counted after a crash. */
export async function updateDeletionFound(
  database: Queryable,
  id: number,
  found: readonly FoundEvents[],
): Promise<void> {
  await database.query('UPDATE archive_deletions SET found = $2 WHERE id = $1', [id, JSON.stringify(found)]);
}

/** Ends a removal. That of an erasure stays, without its value, until the erasure ends. */
export async function deleteDeletion(database: Queryable, { id, erasureId }: Deletion): Promise<void> {
  await database.query(
    erasureId === null
      ? 'DELETE FROM archive_deletions WHERE id = $1'
      : "UPDATE archive_deletions SET is_done = true, condition = '{}', found = NULL WHERE id = $1",
    [id],
  );
}

/** True if the removal of an erasure is done; null: there is none. */
export async function isErasureRemoved(database: Queryable, erasureId: string): Promise<boolean | null> {
  const { rows } = await database.query<{ isDone: boolean }>(
    'SELECT is_done AS "isDone" FROM archive_deletions WHERE erasure_id = $1',
    [erasureId],
  );
  return rows[0]?.isDone ?? null;
}

/** Takes events off the blocks that had them. @returns the numbers of those blocks that PostgreSQL has no events of */
export async function updateBlocksRemoved(
  transaction: Queryable,
  found: readonly FoundEvents[],
): Promise<Set<number>> {
  const { rows } = await transaction.query<{ number: number; isMoved: boolean }>(
    `UPDATE archive_blocks AS b SET rows = b.rows - removed.rows,
        hash = CASE WHEN b.rows = removed.rows THEN 0 ELSE b.hash - removed.hash END
      FROM (
        SELECT number, sum(rows) AS rows, sum(hash) AS hash
        FROM unnest($1::bigint[], $2::bigint[], $3::numeric[]) AS f (number, rows, hash) GROUP BY number
      ) AS removed WHERE b.number = removed.number RETURNING b.number, b.state = 'moved' AS "isMoved"`,
    [found.map(({ number }) => number), found.map(({ rows: count }) => count), found.map(({ hash }) => hash)],
  );
  return new Set(rows.filter(({ isMoved }) => isMoved).map(({ number }) => number));
}

const OF_PROJECT = 'organization_id = {organizationId:UUID} AND project_id = {projectId:UUID}';
const OF_VALUE = `organization_id = {organizationId:UUID} AND project_id IN {projectIds:Array(UUID)} AND has(values, {value:String})
  AND received_at <= parseDateTime64BestEffort({until:String}, 3, 'UTC')`;
const OF_KEY = `arrayExists(pair -> pair.1 = {key:String} AND pair.2 = {value:String}, JSONExtractKeysAndValues(correlation, 'String'))`;
const OF_SEVERITY = `organization_id IN {organizationIds:Array(UUID)} AND project_id IN {projectIds:Array(UUID)} AND severity = {severity:String} AND at < parseDateTime64BestEffort({before:String}, 3, 'UTC')`;
const OF_WEEK = `at >= parseDateTime64BestEffort({week:String}, 3, 'UTC') AND at < parseDateTime64BestEffort({week:String}, 3, 'UTC') + INTERVAL 7 DAY`;

/** Condition of a removal in the archive, with its parameters. */
export function whereOf({ kind, condition }: Removal): { where: string; parameters: ArchiveParameters } {
  switch (kind) {
    case 'project':
      return { where: OF_PROJECT, parameters: condition };
    case 'value': {
      const { key, ...parameters } = condition;
      return key === null
        ? { where: OF_VALUE, parameters }
        : { where: `${OF_VALUE} AND ${OF_KEY}`, parameters: { ...parameters, key } };
    }
    case 'severity':
      return { where: OF_SEVERITY, parameters: condition };
    default:
      return { where: OF_WEEK, parameters: condition };
  }
}

/** Events that a removal would remove, searched for week by week. */
export async function listFound(archive: EventArchive, removal: Removal): Promise<FoundEvents[]> {
  const { where, parameters } = whereOf(removal);
  const search = (hash: string, week: string) =>
    archive.query<FoundEvents>(
      `SELECT block AS number, toString(project_id) AS "projectId", count() AS rows, ${hash} AS hash
        FROM events WHERE ${where} AND ${OF_WEEK} GROUP BY block, project_id`,
      { ...parameters, week },
      { maxRunMs: MAX_SEARCH_MS },
    );
  // Nothing is left of a block whose week is removed: no event of it needs to be read.
  if (removal.kind === 'week') return search("'0'", removal.condition.week);
  const found: FoundEvents[] = [];
  for (const weekMs of await archive.listWeeks())
    for (const events of await search(HASH_IN_CLICKHOUSE, isoTime(weekMs))) found.push(events);
  return found;
}
