import type { Queryable } from '../database/database.ts';
import { hasOneOfKeys } from '../events/event-keys.ts';
import { findGroupPrints } from '../events/group-queries.ts';
import { isOfSeries } from '../events/series-condition.ts';
import { all, bind } from '../events/where.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { USER_NAME } from '../releases/event-columns.ts';
import type { LeadEvents } from './lead.ts';

/** Maximum newest events that are read. */
const MAX_READ = 20_000;

export interface LeadFacts {
  /** Number of different users among the events that were read. */
  users: number;
  /** False: there are earlier events. */
  isComplete: boolean;
  newestId: string | null;
  newestMessage: string | null;
}

/** Facts that the newest of the counted events name. */
export async function findLeadFacts(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series, fromMs, untilMs }: LeadEvents,
): Promise<LeadFacts> {
  const values: unknown[] = [organizationId, projectId, uuidLowerBound(fromMs)];
  const where = ['project_id = $2', 'id >= $3'];
  if (untilMs !== null) where.push(`id < ${bind(values, uuidLowerBound(untilMs + 1))}`);
  const prints = groupId === null ? null : await findGroupPrints(database, organizationId, groupId);
  if (prints?.fingerprints)
    where.push(
      hasOneOfKeys(
        'fingerprint',
        '$1',
        prints.fingerprints.map((print) => bind(values, print)),
      ),
    );
  else where.push('organization_id = $1');
  const found = prints ? 'true' : isOfSeries(bind(values, JSON.stringify([series])), 'events');
  const { rows } = await database.query<LeadFacts>(
    `WITH read AS MATERIALIZED (
        SELECT id, ${USER_NAME} AS user_name, left(message, 1000) AS message, ${found} AS found
        FROM events WHERE ${all(where)} ORDER BY id DESC LIMIT ${MAX_READ + 1}
      )
      SELECT whole.*, newest.id AS "newestId", newest.message AS "newestMessage"
      FROM (
        SELECT count(DISTINCT user_name) FILTER (WHERE found)::int AS users, count(*) <= ${MAX_READ} AS "isComplete" FROM read
      ) AS whole LEFT JOIN (SELECT id, message FROM read WHERE found ORDER BY id DESC LIMIT 1) AS newest ON true`,
    values,
  );
  return rows[0] ?? { users: 0, isComplete: true, newestId: null, newestMessage: null };
}

/** The users of a group that began at a time or later, which groups therefore know exactly; null: it began before. */
export async function findUsersSince(
  database: Queryable,
  organizationId: string,
  groupId: string,
  since: Date,
): Promise<number | null> {
  const { rows } = await database.query<{ users: number }>(
    `SELECT head.users FROM groups AS g JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
      WHERE g.organization_id = $1 AND g.id = $2 AND head.first_seen >= $3`,
    [organizationId, groupId, since],
  );
  return rows[0]?.users ?? null;
}

/** The first minute of a project that is still counted; retention removes counts with their events. */
export async function findFirstMinute(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<Date | null> {
  const { rows } = await database.query<{ minute: Date }>(
    `SELECT minute FROM event_counts WHERE organization_id = $1 AND project_id = $2
      ORDER BY organization_id, project_id, minute LIMIT 1`,
    [organizationId, projectId],
  );
  return rows[0]?.minute ?? null;
}
