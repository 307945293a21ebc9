import { ADVISORY_LOCKS } from '../database/advisory-locks.ts';
import { CHANNELS } from '../database/channels.ts';
import type { Queryable } from '../database/database.ts';
import type { Incident } from './schema.ts';

export type FrameEvent = 'incident_created' | 'incident_updated';

/**
 * Acquires the first lock of every transaction that changes incidents. Held until the commit, it makes the order of
 * frame ids the order of commits: a reader that continues after the last id that it read misses none. Acquired before
 * the locks on incidents, it also prevents deadlocks between writers.
 */
export async function lockFrames(database: Queryable): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.frames]);
}

/** Inserts a frame for the organization's dashboards and notifies their processes; the caller holds `lockFrames`. */
export async function insertFrame(
  database: Queryable,
  organizationId: string,
  frame: { projectId: string; event: FrameEvent; data: Incident; createdAt: Date },
): Promise<void> {
  await database.query(
    `WITH frame AS (
        INSERT INTO incident_frames (organization_id, project_id, event, data, created_at)
        VALUES ($1, $2, $3, $4, $5)
      )
      SELECT pg_notify($6, '')`,
    [
      organizationId,
      frame.projectId,
      frame.event,
      JSON.stringify(frame.data),
      frame.createdAt,
      CHANNELS.incidents,
    ],
  );
}

export interface FrameRow {
  id: number;
  organizationId: string;
  event: FrameEvent;
  data: Incident;
  /** True if the project still exists: frames of a deleted one are not shown. */
  live: boolean;
}

export async function listFramesAfter(
  database: Queryable,
  lastId: number,
  limit: number,
): Promise<FrameRow[]> {
  const { rows } = await database.query<FrameRow>({
    name: 'list-frames-after',
    text: `SELECT f.id, f.organization_id AS "organizationId", f.event, f.data, p.id IS NOT NULL AS live
      FROM incident_frames f LEFT JOIN projects p ON p.id = f.project_id AND p.deleted_at IS NULL
      WHERE f.id > $1 ORDER BY f.id LIMIT $2`,
    values: [lastId, limit],
  });
  return rows;
}

export async function findLastFrameId(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ id: number | null }>('SELECT max(id) AS id FROM incident_frames');
  return rows[0]?.id ?? 0;
}

export async function deleteFramesBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM incident_frames WHERE created_at < $1', [before]);
}
