import type { Queryable } from '../../database/database.ts';
import { hasKey } from '../event-keys.ts';
import { findEventPage } from '../page-queries.ts';
import type { EventPage, GroupPlace, PageRequest } from '../read-types.ts';
import { bind, LEADS_NOWHERE } from '../where.ts';

/** Subject of such a page where it waits for its turn. */
export const EVENTS_OF_GROUP = 'the events of the group';
/** Maximum events that are scanned for a page of the catch-all group. */
const MAX_SCANNED = 50_000;

/** The events of a group and of those that were merged into it, by time. */
export async function listEventsOfGroup(
  database: Queryable,
  organizationId: string,
  group: GroupPlace,
  page: PageRequest,
): Promise<EventPage> {
  const { order = 'desc', cursor } = page;
  const values: unknown[] = [organizationId, group.projectId];
  const after = cursor === null ? '' : `AND id ${order === 'asc' ? '>' : '<'} ${bind(values, cursor)}`;
  if (group.number === 0) {
    const events = `events WHERE organization_id = $1 AND project_id = $2 ${after} ORDER BY id ${order}`;
    const filter = [LEADS_NOWHERE];
    return findEventPage(database, { events, filter, limit: MAX_SCANNED }, page, values);
  }
  const id = bind(values, group.id);
  // Each fingerprint has its part of an index, and no more of it is read than the page holds.
  const events = `(
      SELECT DISTINCT fingerprint FROM group_fingerprints
      WHERE group_id = ANY (ARRAY(SELECT ${id}::uuid UNION ALL SELECT id FROM groups WHERE merged_into = ${id}))
    ) AS own CROSS JOIN LATERAL (
      SELECT * FROM events
      WHERE ${hasKey('fingerprint', '$1', 'own.fingerprint')} AND project_id = $2 ${after}
      ORDER BY id ${order} LIMIT ${page.limit + 1}
    ) AS event ORDER BY event.id ${order}`;
  return findEventPage(
    database,
    { events: `(SELECT event.* FROM ${events}) AS event`, filter: [], limit: null },
    page,
    values,
  );
}
