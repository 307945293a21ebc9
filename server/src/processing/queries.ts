import type { Queryable } from '../database/database.ts';
import type { BatchCell, BatchUsers } from '../groups/batch.ts';
import type { Deltas } from '../queue/queries.ts';

export interface BatchOutcome {
  /** The least id of the queue rows taken; null: there were none. */
  oldestId: number | null;
  /** Queue rows taken. */
  batches: number;
  /** Events in them, by the queue's own counts. */
  events: number;
  /** Of these, events of projects that exist: the ledger counts them as stored. Deploys count like events. */
  stored: number;
  /** Events and deploys that were expanded and stored. */
  inserted: number;
  /** Repeats that intake had recognised. */
  duplicate: number;
  /** Events of projects that were deleted since. */
  dropped: number;
  /** The stored events by group, minute and release. */
  cells: BatchCell[];
  /** Hashes of the users that they name, by group. */
  users: BatchUsers[];
}

/** The oldest rows from the id $4 on that no other worker holds: at most $2 rows, and no more once they hold $3 bytes. */
const OLDEST = `
  locked AS (
    SELECT id, bytes FROM queue WHERE id >= $4 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
  ), chosen AS (
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM locked) AS sized
    WHERE before < $3
  )`;

const ONE = `chosen AS (SELECT id FROM queue WHERE id = $2 FOR UPDATE SKIP LOCKED)`;

/** The release that an event counts for: a blank one is none. The event itself keeps it as it was sent. */
const RELEASE = String.raw`nullif(btrim(release, E' \t\n\x0b\f\r'), '')`;
/** The user that an event names; null: none. */
const USER_NAME = `coalesce(nullif(correlation ->> 'user_id', ''), nullif(correlation ->> 'customer_id', ''))`;
/** The first 48 bits of an id are the milliseconds of its capturedAt. */
const CAPTURED_MS = `('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint`;
/** `date_part` calculates in float8, which holds milliseconds exactly; `extract` calculates in numeric, at many times the cost. */
const RECEIVED_MS = `(date_part('epoch', "receivedAt") * 1000)::bigint`;

/**
 * From the queue into the event store, in one statement and so in one transaction: the rows leave the queue,
 * their events, the counts per minute, the stream to the risk loop and the ledger appear together, or nothing
 * happens. The projects are locked against deletion; events of deleted ones are dropped and counted.
 *
 * Rows that two workers could both update are written in the order of their keys, so that the workers do not deadlock.
 * $1: the organizations with live viewers.
 */
const store = (chosen: string, lateMs: number) => `
  WITH ${chosen}, taken AS (
    DELETE FROM queue USING chosen WHERE queue.id = chosen.id RETURNING queue.id, queue.deltas, queue.events
  ), accepted AS MATERIALIZED (
    SELECT delta.key::uuid AS project_id, sum((delta.value -> 'accepted')::bigint) AS accepted,
      sum((delta.value -> 'duplicate')::bigint) AS duplicate
    FROM taken CROSS JOIN LATERAL jsonb_each(taken.deltas) AS delta GROUP BY 1
  ), live AS MATERIALIZED (
    SELECT id, organization_id FROM projects
    WHERE id IN (SELECT project_id FROM accepted) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
  ), kept AS MATERIALIZED (
    SELECT event.*, live.organization_id
    FROM taken CROSS JOIN LATERAL jsonb_to_recordset(taken.events::jsonb) AS event (
      id uuid, "projectId" uuid, "receivedAt" timestamptz(3), severity severity, type text, source text,
      message text, "correlationId" text, fingerprint text, "fingerprintVersion" smallint, "fingerprintV1" text,
      release text, correlation jsonb, payload jsonb, "failedPayment" boolean, deploy jsonb)
    JOIN live ON live.id = event."projectId"
  ), stored AS (
    INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
      correlation_id, fingerprint, fingerprint_version, release, correlation, payload, failed_payment)
    SELECT id, organization_id, "projectId", "receivedAt", severity, type, source, message,
      "correlationId", fingerprint, "fingerprintVersion", release, correlation, payload, "failedPayment"
    FROM kept WHERE deploy IS NULL
  ), cells AS MATERIALIZED (
    -- Read by everything that counts: an event is grouped once.
    SELECT organization_id, "projectId" AS project_id, severity, type, source, captured_ms / 60000 AS minute,
      date_bin('5 seconds', "receivedAt", 'epoch') AS received_bucket,
      is_failed_payment("failedPayment", type, message) AS failed_payment,
      received_ms - captured_ms > ${lateMs} AS is_late, fingerprint, "fingerprintV1" AS former, ${RELEASE} AS release,
      count(*) AS count, max(received_ms) AS received_ms, sum((received_ms - captured_ms)::float8) AS late_ms,
      min(captured_ms) AS first_ms, max(captured_ms) AS last_ms
    FROM (
      SELECT kept.*, ${CAPTURED_MS} AS captured_ms, ${RECEIVED_MS} AS received_ms FROM kept WHERE deploy IS NULL
      -- Worked out once an event.
      OFFSET 0
    ) AS kept GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
  ), series AS MATERIALIZED (
    SELECT organization_id, project_id AS "projectId", severity, type, source, minute AS captured_minute, received_bucket,
      failed_payment, is_late, sum(count) AS count, max(received_ms) AS last_received_ms, sum(late_ms) AS late_ms
    FROM cells GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ), counted AS (
    INSERT INTO event_counts AS c (organization_id, project_id, minute, severity, type, source, count,
      failed_payments)
    SELECT organization_id, "projectId", to_timestamp(captured_minute * 60), severity, type, source, sum(count),
      coalesce(sum(count) FILTER (WHERE failed_payment AND severity < 'error'), 0)
    FROM series GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (organization_id, project_id, minute, severity, type, source)
      DO UPDATE SET count = c.count + excluded.count,
        failed_payments = c.failed_payments + excluded.failed_payments
  ), kinds AS MATERIALIZED (
    SELECT "projectId", fingerprint, min(type) AS type, max(severity) AS severity, min(source) AS source,
      left(min(message), 200) AS message, max("receivedAt") AS last_received_at,
      array_agg(DISTINCT "fingerprintV1") FILTER (WHERE "fingerprintV1" IS NOT NULL) AS earlier,
      min(${RECEIVED_MS} - ${CAPTURED_MS}) AS late_ms,
      -- Late payments rank after those on time.
      row_number() OVER (
        PARTITION BY "projectId" ORDER BY min(${RECEIVED_MS} - ${CAPTURED_MS}) > ${lateMs}) AS place
    FROM kept WHERE severity >= 'error' GROUP BY 1, 2
  ), streamed AS (
    INSERT INTO risk_inbox (kinds, deltas, entries, from_ms)
    SELECT (
      -- A storm of distinct messages must not swell the stream: what is not told now comes again or was noise.
      SELECT coalesce(jsonb_agg(jsonb_build_object('projectId', "projectId", 'fingerprint', fingerprint,
        'type', type, 'severity', severity, 'source', source, 'message', message,
        'atMs', (extract(epoch FROM last_received_at) * 1000)::bigint, 'lateMs', late_ms)
        -- Usually one. Beyond some they are the messages of a storm.
        || CASE WHEN earlier IS NULL THEN '{}' ELSE jsonb_build_object('earlierFingerprints', earlier[:10]) END), '[]')
      FROM kinds WHERE place <= 100
    ), jsonb_agg(jsonb_build_object('projectId', "projectId", 'type', type, 'source', source,
      'severity', CASE WHEN failed_payment THEN greatest(severity, 'error') ELSE severity END,
      'bucketMs', (extract(epoch FROM received_bucket) * 1000)::bigint, 'count', count,
      'lastMs', last_received_ms, 'lateMs', round(late_ms / count))
        || CASE WHEN is_late THEN jsonb_build_object('capturedMs', captured_minute * 60000) ELSE '{}' END),
      count(*) + (SELECT count(*) FROM kinds WHERE place <= 100),
      (extract(epoch FROM min(received_bucket)) * 1000)::bigint
    FROM series HAVING count(*) > 0
  ), prints AS MATERIALIZED (
    SELECT organization_id, project_id, fingerprint, release, severity, minute, max(former) AS former,
      sum(count) AS count, min(first_ms) AS first_ms, max(last_ms) AS last_ms, max(received_ms) AS received_ms
    FROM cells GROUP BY 1, 2, 3, 4, 5, 6
  ), people AS MATERIALIZED (
    SELECT project_id, fingerprint, json_agg(user_hash) AS hashes
    FROM (
      -- 53 bits: a number in JSON holds no more.
      SELECT DISTINCT "projectId" AS project_id, fingerprint, hashtextextended(user_name, 0) & 9007199254740991 AS user_hash
      FROM (
        SELECT "projectId", fingerprint, ${USER_NAME} AS user_name FROM kept
      ) AS named WHERE user_name IS NOT NULL
    ) AS hashed GROUP BY 1, 2
  ), tailed AS (
    INSERT INTO live_tail (organization_id, events, omitted)
    SELECT organization_id, jsonb_agg(to_jsonb(recent) - 'place' ORDER BY id) FILTER (WHERE place <= 50),
      greatest(count(*) - 50, 0)
    FROM (
      SELECT kept.*, row_number() OVER (PARTITION BY organization_id ORDER BY id DESC) AS place
      FROM kept WHERE organization_id = ANY ($1::uuid[]) AND deploy IS NULL
    ) AS recent GROUP BY organization_id
  ), released AS (
    INSERT INTO releases AS r (project_id, version, first_seen, last_seen, deployed_at, events, errors, users, first_user)
    SELECT "projectId", version, to_timestamp(min(captured_ms) / 1000.0), to_timestamp(max(captured_ms) / 1000.0),
      min(deployed_at), count(captured_ms), count(*) FILTER (WHERE severity >= 'error'),
      -- None, one, or two for more: without a sort, which counting different ones takes.
      coalesce(1 + (min(user_hash) < max(user_hash))::int, 0), min(user_hash)
    FROM (
      SELECT "projectId", coalesce(deploy ->> 'release', ${RELEASE}) AS version, severity,
        CASE WHEN deploy IS NULL THEN ${CAPTURED_MS} END AS captured_ms, (deploy ->> 'at')::timestamptz AS deployed_at,
        hashtext(${USER_NAME}) AS user_hash
      FROM kept WHERE ${RELEASE} IS NOT NULL OR deploy IS NOT NULL
    ) AS named GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, version) DO UPDATE SET first_seen = least(r.first_seen, excluded.first_seen),
      last_seen = greatest(r.last_seen, excluded.last_seen), deployed_at = least(r.deployed_at, excluded.deployed_at),
      events = r.events + excluded.events, errors = r.errors + excluded.errors,
      users = CASE WHEN r.users = 1 AND excluded.users = 1 AND r.first_user <> excluded.first_user THEN 2
        ELSE greatest(r.users, excluded.users) END,
      first_user = coalesce(r.first_user, excluded.first_user)
  ), deployed AS (
    INSERT INTO deploys (id, project_id, release, environment, deployed_at, created_at)
    SELECT DISTINCT ON ("projectId", release, environment) id, "projectId", release, environment, at, "receivedAt"
    FROM (
      SELECT id, "projectId", deploy ->> 'release' AS release, deploy ->> 'environment' AS environment,
        (deploy ->> 'at')::timestamptz AS at, "receivedAt" FROM kept WHERE deploy IS NOT NULL
    ) AS reported ORDER BY "projectId", release, environment, id
    ON CONFLICT (project_id, release, environment) DO NOTHING
  ), totals AS (
    SELECT accepted.project_id, accepted.accepted, accepted.duplicate,
      accepted.accepted - accepted.duplicate AS events, live.id IS NOT NULL AS alive
    FROM accepted LEFT JOIN live ON live.id = accepted.project_id
  ), recorded AS (
    INSERT INTO ledgers AS l (project_id, accepted, duplicate, stored, dropped)
    SELECT project_id, accepted, duplicate, CASE WHEN alive THEN events ELSE 0 END,
      CASE WHEN alive THEN 0 ELSE events END
    FROM totals ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET accepted = l.accepted + excluded.accepted,
      duplicate = l.duplicate + excluded.duplicate, stored = l.stored + excluded.stored,
      dropped = l.dropped + excluded.dropped
  )
  SELECT (SELECT min(id) FROM taken) AS "oldestId", (SELECT count(*) FROM taken) AS batches, coalesce(sum(events), 0)::bigint AS events,
    coalesce(sum(events) FILTER (WHERE alive), 0)::bigint AS stored,
    (SELECT count(*) FROM kept) AS inserted,
    coalesce(sum(duplicate), 0)::bigint AS duplicate,
    (SELECT coalesce(json_agg(json_build_array(organization_id, project_id, fingerprint, former, release, severity, minute,
        count, first_ms, last_ms, received_ms)), '[]') FROM prints) AS cells,
    (SELECT coalesce(json_agg(json_build_array(project_id, fingerprint, hashes)), '[]') FROM people) AS users,
    coalesce(sum(events) FILTER (WHERE NOT alive), 0)::bigint AS dropped
  FROM totals`;

const NOTHING: BatchOutcome = {
  oldestId: null,
  batches: 0,
  events: 0,
  stored: 0,
  inserted: 0,
  duplicate: 0,
  dropped: 0,
  cells: [],
  users: [],
};

export interface StoreOptions {
  /** Their events are sampled for the live tail. */
  watchedOrganizations: string[];
  /** Events received longer than this after their capture are late: the risk loop gets them by their capture, too. */
  lateMs: number;
}

export async function storeOldestBatches(
  database: Queryable,
  { watchedOrganizations, lateMs }: StoreOptions,
  limits: { fromId: number; maxBatches: number; maxBytes: number },
): Promise<BatchOutcome> {
  const { rows } = await database.query<BatchOutcome>({
    name: 'store-oldest-batches',
    text: store(OLDEST, lateMs),
    values: [watchedOrganizations, limits.maxBatches, limits.maxBytes, limits.fromId],
  });
  return rows[0] ?? NOTHING;
}

export async function storeOneBatch(
  database: Queryable,
  { watchedOrganizations, lateMs }: StoreOptions,
  batchId: number,
): Promise<BatchOutcome> {
  const { rows } = await database.query<BatchOutcome>(store(ONE, lateMs), [watchedOrganizations, batchId]);
  return rows[0] ?? NOTHING;
}

export async function listOldestBatchIds(database: Queryable, limit: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>('SELECT id FROM queue ORDER BY id LIMIT $1', [limit]);
  return rows.map((row) => row.id);
}

export interface QueueRow {
  deltas: Deltas;
  events: string;
}

export async function findBatch(database: Queryable, batchId: number): Promise<QueueRow | null> {
  const { rows } = await database.query<QueueRow>('SELECT deltas, events FROM queue WHERE id = $1', [
    batchId,
  ]);
  return rows[0] ?? null;
}

/** Removes a row from the queue; null if another worker was faster. */
export async function deleteBatch(database: Queryable, batchId: number): Promise<QueueRow | null> {
  const { rows } = await database.query<QueueRow>(
    `DELETE FROM queue WHERE id = (SELECT id FROM queue WHERE id = $1 FOR UPDATE SKIP LOCKED) RETURNING deltas, events`,
    [batchId],
  );
  return rows[0] ?? null;
}

export async function insertDeadLetter(
  database: Queryable,
  letter: { id: string; projectId: string; event: string; sqlState: string; reason: string },
): Promise<void> {
  await database.query(
    `INSERT INTO dead_letters (id, project_id, event, sql_state, reason) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING`,
    [letter.id, letter.projectId, letter.event, letter.sqlState, letter.reason],
  );
}

export async function addToLedger(
  database: Queryable,
  projectId: string,
  more: { accepted: number; duplicate: number; dead: number; dropped: number },
): Promise<void> {
  await database.query(
    `INSERT INTO ledgers AS l (project_id, accepted, duplicate, dead, dropped) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (project_id) DO UPDATE SET accepted = l.accepted + excluded.accepted,
        duplicate = l.duplicate + excluded.duplicate, dead = l.dead + excluded.dead,
        dropped = l.dropped + excluded.dropped`,
    [projectId, more.accepted, more.duplicate, more.dead, more.dropped],
  );
}

/** Whether an accepted event or deploy was stored, or by which SQLSTATE it was refused; null where neither is known. */
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
  const { rows } = await database.query<{ id: string }>(
    'SELECT DISTINCT organization_id AS id FROM live_tail_watchers WHERE expires_at > $1',
    [now],
  );
  return rows.map((row) => row.id);
}

export async function deleteDeadLettersBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    'DELETE FROM dead_letters WHERE ctid IN (SELECT ctid FROM dead_letters WHERE created_at < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

/** The number of dead letters, counted up to a bound. */
export async function countDeadLetters(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM (SELECT FROM dead_letters LIMIT 100000) AS counted',
  );
  return rows[0]?.count ?? 0;
}
