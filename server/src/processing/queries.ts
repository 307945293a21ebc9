import type { StoredNotice } from '../alerts/apply-alerts.ts';
import type { Queryable } from '../database/database.ts';
import type { NamedEnvironment } from '../environments/queries.ts';
import type { LateHour } from '../events/counts/roll-queries.ts';
import type { GroupOutcome } from '../groups/keep/count-queries.ts';
import { latestHold } from '../platform/stored-times.ts';
import type { Deltas } from '../queue/queries.ts';
import { STORE_BATCHES, STORE_WATCHED_BATCHES } from './store/store-statement.ts';

export interface BatchOutcome extends GroupOutcome {
  /** Smallest id of the queue rows taken; null: there were none. */
  oldestId: number | null;
  /** Number of queue rows taken. */
  batches: number;
  /** Number of events in them, by the queue's own counts. */
  events: number;
  /**
   * Number of events of existing projects among these: the ledger counts them as stored. Deploys and notifications of
   * alerts count like events.
   */
  stored: number;
  /** Number of events, deploys and notifications that were expanded and stored. */
  inserted: number;
  /** Number of repeats that intake had recognised. */
  duplicate: number;
  /** Number of events of projects that were deleted since. */
  dropped: number;
  lateHours: LateHour[];
  /** Environments without a number: then nothing may be stored. */
  unknownEnvironments: NamedEnvironment[];
  /** Notifications of alerts, the oldest first. */
  notices: StoredNotice[];
}

/** Maximum lifetime of a viewer's registration. */
const MAX_WATCH_MS = 10_000;

const NOTHING: BatchOutcome = {
  oldestId: null,
  batches: 0,
  events: 0,
  stored: 0,
  inserted: 0,
  duplicate: 0,
  dropped: 0,
  cells: null,
  arrivals: [],
  lateHours: [],
  unknownEnvironments: [],
  notices: [],
};

export interface StoreOptions {
  /** Organizations whose events are sampled for the live tail. */
  watchedOrganizations: string[];
  /** Time between capture and receipt after which events are late: the risk loop gets them by their capture, too. */
  lateMs: number;
}

/** Rows of the queue that one statement takes, the oldest first. */
export interface BatchRange {
  fromId: number;
  /** Unset: no last one. */
  toId?: number;
  maxBatches: number;
  maxBytes: number;
}

/**
 * Stores events and counts them, in their groups as far as these are known; `finishGroups` does the rest in the same
 * transaction.
 */
export async function storeBatches(
  database: Queryable,
  { watchedOrganizations, lateMs }: StoreOptions,
  { fromId, toId = Number.MAX_SAFE_INTEGER, maxBatches, maxBytes }: BatchRange,
): Promise<BatchOutcome> {
  const values = [lateMs, fromId, toId, maxBatches, maxBytes];
  const { rows } = await database.query<BatchOutcome>(
    watchedOrganizations.length === 0
      ? { name: 'store-batches', text: STORE_BATCHES, values }
      : {
          name: 'store-watched-batches',
          text: STORE_WATCHED_BATCHES,
          values: [...values, watchedOrganizations],
        },
  );
  return rows[0] ?? NOTHING;
}

export async function listOldestBatchIds(database: Queryable, limit: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>('SELECT id FROM queue ORDER BY id LIMIT $1', [limit]);
  return rows.map((row) => row.id);
}

export interface QueueRow {
  deltas: Deltas;
  events: string;
  /** True if they waited on disk while the database was lost. */
  isSpooled: boolean;
  acceptedAt: Date;
}

const QUEUE_ROW = 'deltas, events, is_spooled AS "isSpooled", accepted_at AS "acceptedAt"';

export async function findBatch(database: Queryable, batchId: number): Promise<QueueRow | null> {
  const { rows } = await database.query<QueueRow>(`SELECT ${QUEUE_ROW} FROM queue WHERE id = $1`, [batchId]);
  return rows[0] ?? null;
}

/** Removes a row from the queue; null if another worker was faster. */
export async function deleteBatch(database: Queryable, batchId: number): Promise<QueueRow | null> {
  const { rows } = await database.query<QueueRow>(
    `DELETE FROM queue WHERE id = (SELECT id FROM queue WHERE id = $1 FOR UPDATE SKIP LOCKED)
      RETURNING ${QUEUE_ROW}`,
    [batchId],
  );
  return rows[0] ?? null;
}

/** @returns the number of dead events of the project */
export async function addToLedger(
  database: Queryable,
  projectId: string,
  more: { accepted: number; duplicate: number; dead: number; dropped: number },
): Promise<number> {
  const { rows } = await database.query<{ dead: number }>(
    `INSERT INTO ledgers AS l (project_id, accepted, duplicate, dead, dropped) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (project_id) DO UPDATE SET accepted = l.accepted + excluded.accepted,
        duplicate = l.duplicate + excluded.duplicate, dead = l.dead + excluded.dead,
        dropped = l.dropped + excluded.dropped
      RETURNING dead`,
    [projectId, more.accepted, more.duplicate, more.dead, more.dropped],
  );
  return rows[0]?.dead ?? 0;
}

/**
 * Finds if an accepted event or deploy was stored, or the SQLSTATE with which it was refused; null: neither is known.
 */
export async function findOutcome(
  database: Queryable,
  projectId: string,
  eventId: string,
): Promise<{ refusedBy: string | null; isDeploy: boolean } | null> {
  const { rows } = await database.query<{ refusedBy: string | null; isDeploy: boolean }>(
    `SELECT NULL AS "refusedBy", false AS "isDeploy" FROM events WHERE id = $2 AND project_id = $1
      UNION ALL SELECT sql_state, false FROM dead_letters WHERE id = $2 AND project_id = $1
      UNION ALL SELECT NULL, true FROM deploys WHERE id = $2 AND project_id = $1 LIMIT 1`,
    [projectId, eventId],
  );
  return rows[0] ?? null;
}

/** The organizations with live viewers now. */
export async function listWatchedOrganizations(database: Queryable, now: Date): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>({
    name: 'list-watched-organizations',
    text: 'SELECT DISTINCT organization_id AS id FROM live_tail_watchers WHERE expires_at > $1 AND expires_at <= $2',
    values: [now, new Date(latestHold(now.getTime(), MAX_WATCH_MS))],
  });
  return rows.map((row) => row.id);
}
