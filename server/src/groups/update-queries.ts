import { CHANNELS } from '../database/channels.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Change of a group that live viewers receive: it is new, its state or assignee changed, or it was merged or
 * separated.
 */
export type GroupUpdate = 'group_created' | 'group_changed' | 'group_merged' | 'group_separated';

/** Announces changes of groups to live viewers, in the transaction that makes them. */
export async function insertGroupUpdates(
  database: Queryable,
  change: GroupUpdate,
  groups: readonly { id: string; projectId: string }[],
): Promise<void> {
  if (groups.length === 0) return;
  await database.query({
    name: 'insert-group-updates',
    text: `WITH announced AS (
        INSERT INTO live_updates (project_id, change, subject)
        SELECT project_id, $1, id FROM unnest($2::uuid[], $3::text[]) AS changed (project_id, id)
      )
      SELECT pg_notify($4, '')`,
    values: [change, groups.map(({ projectId }) => projectId), groups.map(({ id }) => id), CHANNELS.updates],
  });
}
