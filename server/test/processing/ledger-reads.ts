import type { Pool } from '../../src/database/database.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { uuidOf } from './support.ts';

/**
 * Reads, in one statement and so at one moment, the projects whose ledger does not add up, or says something else than
 * the rows: events, dead letters, the queue, and the ids of events that were counted and not kept. The rows of a deleted
 * project are removed without its ledger, which must add up all the same.
 */
export async function listImbalances(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `WITH counted AS (
        SELECT p.id, p.deleted_at IS NOT NULL AS is_deleted, l.accepted, l.stored, l.duplicate, l.dead, l.dropped, l.sampled,
          l.erased, l.expired,
          (SELECT count(*) FROM events WHERE project_id = p.id) AS events,
          (SELECT coalesce(sum(events), 0) FROM dead_letters WHERE project_id = p.id) AS letters,
          (SELECT coalesce(sum(cardinality(hashes)), 0) FROM sampled_events WHERE project_id = p.id) AS unkept,
          (SELECT coalesce(sum((deltas -> p.id::text -> 'accepted')::int - (deltas -> p.id::text -> 'duplicate')::int), 0)
            FROM queue WHERE deltas ? p.id::text) AS queued,
          (SELECT count(*) FROM queue CROSS JOIN LATERAL json_array_elements(events::json) AS event
            WHERE deltas ? p.id::text AND event ->> 'projectId' = p.id::text) AS waiting
        FROM projects AS p JOIN ledgers AS l ON l.project_id = p.id
      )
      SELECT * FROM counted
      WHERE accepted <> stored + duplicate + dead + dropped + sampled + erased + expired OR queued <> waiting
        OR NOT is_deleted AND (stored <> events OR dead <> letters OR sampled <> unkept)`,
  );
  return rows;
}

/** Reads, at one moment, what all ledgers count as erased, and what the erasures say that they have erased. */
export async function findErasedSums(pool: Pool): Promise<{ counted: number; erased: number }> {
  const { rows } = await pool.query<{ counted: number; erased: number }>(
    `SELECT (SELECT sum(erased)::bigint FROM ledgers) AS counted,
      (SELECT coalesce(sum(events + dead_letters), 0)::bigint FROM erasures) AS erased`,
  );
  return rows[0] ?? { counted: 0, erased: 0 };
}

/**
 * Lets the database refuse one half of the events of a type in each even second, and the other half in odd ones: attempts of
 * a batch that is split agree about an event, so that it becomes a dead letter, and a later replay of it succeeds.
 */
export async function refuseEventsByTurns(pool: Pool, type: string): Promise<void> {
  await pool.query(
    `CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'No.' USING ERRCODE = 'invalid_parameter_value'; END $$`,
  );
  await pool.query(
    `CREATE TRIGGER refused BEFORE INSERT ON events FOR EACH ROW WHEN (
        new.type = '${type}' AND (hashtext(new.id::text) + floor(extract(epoch FROM clock_timestamp()))::int) % 2 = 0)
      EXECUTE FUNCTION refuse_event()`,
  );
}

/**
 * Lets the time pass in which others wait for a process that was killed: for the rest of its erasure, and for events on
 * its disk. A process that runs loses its lease as well, as if it had been held up for as long.
 */
export async function passTimeOfKilled(pool: Pool): Promise<void> {
  await pool.query(`DELETE FROM leases WHERE name = 'erasures'`);
  await pool.query(
    `UPDATE intake_presence SET told_at = told_at - interval '11 minutes' WHERE told_at > '-infinity'`,
  );
}

export interface LedgerRow {
  accepted: number;
  duplicate: number;
  dropped: number;
  sampled: number;
  erased: number;
  expired: number;
}

export async function findLedgerRow(pool: Pool, projectId: string): Promise<LedgerRow | undefined> {
  const { rows } = await pool.query<LedgerRow>(
    'SELECT accepted, duplicate, dropped, sampled, erased, expired FROM ledgers WHERE project_id = $1',
    [uuidOf(projectId)],
  );
  return rows[0];
}

export async function hasSettled(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT FROM queue UNION ALL SELECT FROM erasures WHERE finished_at IS NULL LIMIT 1',
  );
  return rowCount === 0;
}

/** Returns those jobs whose event is stored, a dead letter, or one that was counted and not kept. */
export async function listFound(pool: Pool, jobIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ place: number }>(
    `WITH unkept AS MATERIALIZED (SELECT unnest(hashes) AS hash FROM sampled_events)
      SELECT place::int FROM unnest($1::uuid[]) WITH ORDINALITY AS sent (id, place)
      WHERE id IN (SELECT id FROM events) OR id IN (SELECT id FROM dead_letters)
        OR uuid_hash(id) IN (SELECT hash FROM unkept)`,
    [jobIds.map((jobId) => toUuid('job', jobId))],
  );
  return new Set(rows.flatMap(({ place }) => jobIds[place - 1] ?? []));
}
