import { CHANNELS } from '../database/channels.ts';
import type { Queryable } from '../database/database.ts';
import type { EventRow } from '../events/event-row.ts';

/** Registers live viewers of these organizations for some seconds. */
export async function upsertWatchers(
  database: Queryable,
  watcherId: string,
  organizationIds: string[],
  expiresAt: Date,
): Promise<void> {
  await database.query(
    `INSERT INTO live_tail_watchers (organization_id, watcher_id, expires_at) SELECT unnest($2::uuid[]), $1, $3
      ON CONFLICT (organization_id, watcher_id) DO UPDATE SET expires_at = excluded.expires_at`,
    [watcherId, organizationIds, expiresAt],
  );
}

/** Notifies the workers that viewers were registered for other organizations than before. */
export async function notifyWatchersChanged(database: Queryable): Promise<void> {
  await database.query(`SELECT pg_notify($1, '')`, [CHANNELS.watchers]);
}

export interface TailRow {
  id: number;
  organizationId: string;
  events: TailEvent[];
  omitted: number;
  /** Live projects of the organization: events of deleted ones are no longer sent. */
  liveProjects: string[];
}

/** An event as the worker's statement writes it: its row, with some columns named as in the queue. */
type TailEvent = Omit<EventRow, 'organizationId' | 'receivedAt' | 'groupId'> & {
  organization_id: string;
  receivedAt: string;
};

/** Samples of the last seconds for these organizations. */
export async function listRecentTail(
  database: Queryable,
  organizationIds: string[],
  since: Date,
): Promise<TailRow[]> {
  const { rows } = await database.query<TailRow>(
    `SELECT id, organization_id AS "organizationId", events, omitted, ARRAY(
          SELECT p.id FROM projects p WHERE p.organization_id = live_tail.organization_id AND p.deleted_at IS NULL
        ) AS "liveProjects"
      FROM live_tail WHERE organization_id = ANY ($1) AND created_at > $2 ORDER BY id`,
    [organizationIds, since],
  );
  return rows;
}

export async function deleteTailBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM live_tail WHERE created_at < $1', [before]);
  await database.query('DELETE FROM live_tail_watchers WHERE expires_at < $1', [before]);
}
