import type { StoredNotice } from '../alerts/apply-alerts.ts';
import type { Queryable } from '../database/database.ts';
import { deleteChunk } from '../database/retention-queries.ts';
import type { NamedEnvironment } from '../environments/queries.ts';
import type { LateHour } from '../events/counts/roll-queries.ts';
import type { EventReads } from '../events/reader.ts';
import type { GroupOutcome } from '../groups/keep/count-queries.ts';
import { uuidTime } from '../platform/ids.ts';
import { latestHold } from '../platform/stored-times.ts';
import { minuteOf } from '../platform/time.ts';
import type { Deltas } from '../queue/queries.ts';
import { statementOf } from './store/store-statement.ts';

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
  /** Number of events that were counted and not kept. */
  sampled: number;
  /** True if a project keeps samples: then nothing may be stored without its hour. */
  keepsSamples: boolean;
  /** True if a project has rules about fields of the payload: then nothing may be stored without counting them. */
  countsFields: boolean;
  /** Number of events, deploys and notifications that were expanded and stored, or counted. */
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
  sampled: 0,
  keepsSamples: false,
  countsFields: false,
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
  /** Hour in which they are stored, for projects that keep samples of storms; null: none does. */
  sampledHour?: Date | null;
  /** True to count what rules about fields of the payload ask for. */
  countsFields?: boolean;
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
  { watchedOrganizations, lateMs, sampledHour = null, countsFields = false }: StoreOptions,
  { fromId, toId = Number.MAX_SAFE_INTEGER, maxBatches, maxBytes }: BatchRange,
): Promise<BatchOutcome> {
  const isWatched = watchedOrganizations.length > 0;
  const { rows } = await database.query<BatchOutcome>({
    ...statementOf({ isSampled: sampledHour !== null, countsFields, isWatched }),
    values: [
      lateMs,
      fromId,
      toId,
      maxBatches,
      maxBytes,
      ...(sampledHour === null ? [] : [sampledHour]),
      ...(isWatched ? [watchedOrganizations] : []),
    ],
  });
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

/** Fate of an accepted event or deploy. `refusedBy`: the SQLSTATE of a dead letter. */
type Outcome =
  | { kind: 'event' | 'deploy' | 'sampled'; refusedBy: null }
  | { kind: 'dead_letter'; refusedBy: string };

/**
 * Finds if an accepted event or deploy was stored, or counted and not kept, or the SQLSTATE with which it was refused;
 * null: neither is known.
 */
export async function findOutcome(
  events: Pick<EventReads, 'database' | 'isStored'>,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  eventId: string,
): Promise<Outcome | null> {
  if (await events.isStored(organizationId, projectId, eventId)) return { kind: 'event', refusedBy: null };
  const { rows } = await events.database.query<Outcome>(
    `SELECT 'dead_letter' AS kind, sql_state AS "refusedBy" FROM dead_letters WHERE id = $2 AND project_id = $1
      UNION ALL SELECT 'deploy', NULL FROM deploys WHERE id = $2 AND project_id = $1
      UNION ALL SELECT 'sampled', NULL FROM sampled_events
        WHERE project_id = $1 AND minute = $3 AND uuid_hash($2::uuid) = ANY (hashes) LIMIT 1`,
    [projectId, eventId, new Date(minuteOf(uuidTime(eventId)))],
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

/** Deletes what is known of the jobs of events that were counted and not kept. */
export function deleteSampledEventsBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['sampled_events', 'minute < $1'], before, limit);
}
