import type { Queryable } from '../../database/database.ts';
import type { DeadLetterKind } from './dead-letter.ts';

export interface NewDeadLetter {
  id: string;
  projectId: string;
  kind: DeadLetterKind;
  title: string;
  event: string;
  /** Number of accepted events in it. */
  events: number;
  sqlState: string;
  reason: string;
}

export interface DeadLetterRow extends Omit<NewDeadLetter, 'projectId' | 'event'> {
  bytes: number;
  createdAt: Date;
}

/** Choice among the dead letters of a project. */
export interface DeadLetterFilter {
  /** UUID of one; null: any. */
  id: string | null;
  sqlState: string | null;
  /** Time until which they died; null: that of the transaction. */
  until: Date | null;
}

const COLUMNS = `id, kind, title, events, sql_state AS "sqlState", reason, octet_length(event) AS bytes,
  created_at AS "createdAt"`;

/** A condition on the dead letters of a checked project in `$1`, over the values of `filterValues`. */
const IN_FILTER = `project_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR sql_state = $3)
  AND created_at <= coalesce($4::timestamptz(3), now()::timestamptz(3))`;

function filterValues(projectId: string, { id, sqlState, until }: DeadLetterFilter): unknown[] {
  return [projectId, id, sqlState, until];
}

/** One that is there already counts a repeat of its event. */
export async function insertDeadLetter(database: Queryable, letter: NewDeadLetter): Promise<void> {
  await database.query(
    `INSERT INTO dead_letters AS l (project_id, id, kind, title, event, events, sql_state, reason)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (project_id, id) DO UPDATE SET events = l.events + excluded.events`,
    [
      letter.projectId,
      letter.id,
      letter.kind,
      letter.title,
      letter.event,
      letter.events,
      letter.sqlState,
      letter.reason,
    ],
  );
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listDeadLetters(
  database: Queryable,
  projectId: string,
  { sqlState, cursor, limit }: { sqlState: string | null; cursor: string | null; limit: number },
): Promise<DeadLetterRow[]> {
  const { rows } = await database.query<DeadLetterRow>(
    `SELECT ${COLUMNS} FROM dead_letters
      WHERE project_id = $1 AND ($2::text IS NULL OR sql_state = $2) AND ($3::uuid IS NULL OR id < $3)
      ORDER BY id DESC LIMIT $4 + 1`,
    [projectId, sqlState, cursor, limit],
  );
  return rows;
}

/** @param projectId project that was checked before */
export async function findDeadLetter(
  database: Queryable,
  projectId: string,
  id: string,
): Promise<(DeadLetterRow & { event: string }) | null> {
  const { rows } = await database.query<DeadLetterRow & { event: string }>(
    `SELECT ${COLUMNS}, event FROM dead_letters WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
  return rows[0] ?? null;
}

interface TakeOptions {
  /** True: only those that can be stored. */
  isReadable: boolean;
  maxLetters: number;
  maxBytes: number;
}

export interface TakenLetter {
  id: string;
  event: string;
  events: number;
}

/** Takes the oldest ones that no other transaction has taken, one at least if there are any. */
export async function takeDeadLetters(
  database: Queryable,
  projectId: string,
  filter: DeadLetterFilter,
  { isReadable, maxLetters, maxBytes }: TakeOptions,
): Promise<TakenLetter[]> {
  const { rows } = await database.query<TakenLetter>(
    `WITH found AS MATERIALIZED (
        SELECT id, octet_length(event) AS bytes FROM dead_letters
        WHERE ${IN_FILTER} AND NOT ($5 AND kind = 'unreadable') ORDER BY id LIMIT $6 FOR UPDATE SKIP LOCKED
      ), chosen AS (
        SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM found) AS sized
        WHERE bytes_before < $7
      )
      DELETE FROM dead_letters WHERE project_id = $1 AND id IN (SELECT id FROM chosen) RETURNING id, event, events`,
    [...filterValues(projectId, filter), isReadable, maxLetters, maxBytes],
  );
  return rows;
}

/** The number of those that are left, counted up to a limit, and the time until which they died. */
export async function countLeft(
  database: Queryable,
  projectId: string,
  filter: DeadLetterFilter,
  isReadable: boolean,
): Promise<{ left: number; until: Date }> {
  const { rows } = await database.query<{ left: number; until: Date }>(
    `SELECT count(*) AS left, coalesce($4::timestamptz(3), now()::timestamptz(3)) AS until FROM (
        SELECT FROM dead_letters WHERE ${IN_FILTER} AND NOT ($5 AND kind = 'unreadable') LIMIT 100000
      ) AS counted`,
    [...filterValues(projectId, filter), isReadable],
  );
  return rows[0] ?? { left: 0, until: new Date(0) };
}

/** Dead events of a project that leave it. */
export interface DeadEvents {
  projectId: string;
  events: number;
}

/** Parts of a ledger that dead events move to; the queue counts its own again as accepted. */
const DEAD_TO = {
  queued: 'accepted = l.accepted - locked.events',
  dropped: 'dropped = l.dropped + locked.events',
  erased: 'erased = l.erased + locked.events',
};

/**
 * Moves dead events to another part of the ledgers of their projects, whose notice about dead letters goes with the last
 * one. Called by all that delete dead letters, in their transaction.
 */
export async function updateDeadInLedgers(
  transaction: Queryable,
  moved: readonly DeadEvents[],
  to: keyof typeof DEAD_TO,
): Promise<void> {
  await transaction.query(
    `WITH locked AS MATERIALIZED (
        SELECT project_id, moved.events FROM ledgers JOIN unnest($1::uuid[], $2::bigint[]) AS moved (project_id, events)
          USING (project_id) ORDER BY project_id FOR UPDATE OF ledgers
      ), changed AS (
        UPDATE ledgers AS l SET dead = l.dead - locked.events, ${DEAD_TO[to]} FROM locked
        WHERE l.project_id = locked.project_id RETURNING l.project_id, l.dead
      )
      DELETE FROM notices AS n USING changed
      WHERE n.project_id = changed.project_id AND n.kind = 'dead_letters' AND changed.dead = 0`,
    [moved.map(({ projectId }) => projectId), moved.map(({ events }) => events)],
  );
}

/** Deletes those that died before a time, the oldest first. @returns the number of events by project */
export async function deleteDeadLettersBefore(
  transaction: Queryable,
  before: Date,
  limit: number,
): Promise<(DeadEvents & { letters: number })[]> {
  const { rows } = await transaction.query<DeadEvents & { letters: number }>(
    `WITH removed AS (
        DELETE FROM dead_letters WHERE (project_id, id) IN (
          SELECT project_id, id FROM dead_letters WHERE created_at < $1 ORDER BY created_at LIMIT $2
          FOR UPDATE SKIP LOCKED)
        RETURNING project_id, events
      )
      SELECT project_id AS "projectId", sum(events)::bigint AS events, count(*) AS letters FROM removed GROUP BY project_id`,
    [before, limit],
  );
  return rows;
}

/** The number of dead letters, counted up to a limit. */
export async function countDeadLetters(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM (SELECT FROM dead_letters LIMIT 100000) AS counted',
  );
  return rows[0]?.count ?? 0;
}

export async function hasUnfinishedErasure(transaction: Queryable, organizationId: string): Promise<boolean> {
  const { rowCount } = await transaction.query(
    'SELECT FROM erasures WHERE organization_id = $1 AND finished_at IS NULL LIMIT 1',
    [organizationId],
  );
  return rowCount !== 0;
}
