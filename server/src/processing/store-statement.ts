import { COUNT_PLAIN_GROUPS, HELD_FOR_KEEPING, HELD_OF_CELLS, IS_PLAIN } from '../groups/keep/plain-batch.ts';
import { RELEASE, USER_NAME } from '../releases/event-columns.ts';

/** The oldest rows from the id $2 on that no other worker holds: at most $3 rows, and no more once they hold $4 bytes. */
const OLDEST = `
  locked AS (
    SELECT id, bytes FROM queue WHERE id >= $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
  ), chosen AS (
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM locked) AS sized
    WHERE before < $4
  )`;

const ONE = `chosen AS (SELECT id FROM queue WHERE id = $2 FOR UPDATE SKIP LOCKED)`;

/** The hash of the user that an event names; null: it names none. 53 bits: a number in JSON holds no more. */
const USER_HASH = `hashtextextended(${USER_NAME}, 0) & 9007199254740991`;
/** Its low 32 bits, which are `hashtext`: PostgreSQL keeps them equal for every extended hash with the seed 0. */
const shortHash = (hash: string) => `${hash}::bit(32)::integer`;
/** The first 48 bits of an id are the milliseconds of its capturedAt. */
const CAPTURED_MS = `('x' || encode(substring(uuid_send(event.id) FOR 6), 'hex'))::bit(48)::bigint`;
/** `date_part` calculates in float8, which holds milliseconds exactly; `extract` calculates in numeric, at many times the cost. */
const RECEIVED_MS = `(date_part('epoch', "receivedAt") * 1000)::bigint`;

/** Asked before anything is written: so the groups are locked before any other row. */
const HOLDS = '(SELECT holds FROM verdict)';

/** Samples for live viewers. */
const tailed = (organizations: string) => `, tailed AS (
    INSERT INTO live_tail (organization_id, events, omitted)
    SELECT organization_id, jsonb_agg(
        to_jsonb(recent) - '{place,captured_ms,received_ms,release_name,user_hash}'::text[] ORDER BY id
      ) FILTER (WHERE place <= 50), greatest(count(*) - 50, 0)
    FROM (
      SELECT kept.*, row_number() OVER (PARTITION BY organization_id ORDER BY id DESC) AS place
      FROM kept WHERE organization_id = ANY (${organizations}::uuid[]) AND deploy IS NULL AND ${HOLDS}
    ) AS recent GROUP BY organization_id
  )`;

const DEPLOYED = `, deployed AS (
    INSERT INTO deploys (id, project_id, release, environment, deployed_at, created_at)
    SELECT DISTINCT ON (project_id, release, environment) id, project_id, release, environment, at, "receivedAt"
    FROM announced ORDER BY project_id, release, environment, id
    ON CONFLICT (project_id, release, environment) DO NOTHING
  )`;

/** The cells with what `keepGroups` counts of them. */
const CELLS = `(
      SELECT coalesce(json_agg(json_build_array(organization_id, project_id, fingerprint, former, release, severity,
        minute, count, first_ms, last_ms, received_ms, users)), '[]')
      FROM counts)`;

interface StoreVariant {
  /** The parameter with the organizations that have live viewers; null: none has. */
  watched: `$${number}` | null;
  /**
   * `plain`: counts in groups, too, and does nothing at all unless the batch is plain (see plain-batch.ts). `kept`: leaves
   * the groups, which it locks, to `keepGroups`.
   */
  groups: 'plain' | 'kept';
}

/**
 * From the queue into the event store, in one statement and so in one transaction: the rows leave the queue,
 * their events, the counts per minute, the stream to the risk loop and the ledger appear together, or nothing
 * happens. The projects are locked against deletion; events of deleted ones are dropped and counted.
 *
 * Rows that two workers could both update are written in the order of their keys, so that the workers do not deadlock.
 * $1: received more milliseconds than this after its capture, an event is late.
 *
 * What only some batches need is left out for the others: for small ones, beginning to execute a part of the statement
 * costs as much as what it does.
 */
function storeStatement(chosen: string, { watched, groups }: StoreVariant): string {
  const ifKept = (part: string) => (groups === 'kept' ? part : '');
  return `
  WITH ${chosen}, taken AS MATERIALIZED (
    SELECT queue.id, queue.deltas, queue.events FROM queue JOIN chosen ON queue.id = chosen.id
  ), accepted AS MATERIALIZED (
    SELECT delta.key::uuid AS project_id, sum((delta.value -> 'accepted')::bigint) AS accepted,
      sum((delta.value -> 'duplicate')::bigint) AS duplicate
    FROM taken CROSS JOIN LATERAL jsonb_each(taken.deltas) AS delta GROUP BY 1
  ), live AS MATERIALIZED (
    SELECT id, organization_id FROM projects
    WHERE id IN (SELECT project_id FROM accepted) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
  ), kept AS MATERIALIZED (
    SELECT event.*, live.organization_id, ${CAPTURED_MS} AS captured_ms, ${RECEIVED_MS} AS received_ms,
      ${RELEASE} AS release_name, ${USER_HASH} AS user_hash
    FROM taken CROSS JOIN LATERAL jsonb_to_recordset(taken.events::jsonb) AS event (
      id uuid, "projectId" uuid, "receivedAt" timestamptz(3), severity severity, type text, source text,
      message text, "correlationId" text, fingerprint text, "fingerprintVersion" smallint, "formerFingerprint" text,
      release text, correlation jsonb, payload jsonb, "failedPayment" boolean, deploy jsonb)
    JOIN live ON live.id = event."projectId"
  ), cells AS MATERIALIZED (
    -- Read by everything that counts: an event is grouped once.
    SELECT organization_id, "projectId" AS project_id, severity, type, source, captured_ms / 60000 AS minute,
      date_bin('5 seconds', "receivedAt", 'epoch') AS received_bucket,
      coalesce("failedPayment", false) AS failed_payment,
      received_ms - captured_ms > $1 AS is_late, fingerprint, release_name AS release,
      max("formerFingerprint") AS former, count(*) AS count, count(deploy) AS deploys, max(received_ms) AS received_ms,
      sum((received_ms - captured_ms)::float8) AS late_ms, min(captured_ms) AS first_ms, max(captured_ms) AS last_ms,
      min(user_hash) AS least_user, max(user_hash) AS greatest_user,
      array_agg(user_hash) FILTER (WHERE user_hash IS NOT NULL) AS users
    FROM kept ${ifKept('WHERE deploy IS NULL')} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  ), ${groups === 'plain' ? HELD_OF_CELLS : HELD_FOR_KEEPING}, verdict AS MATERIALIZED (
    ${groups === 'plain' ? IS_PLAIN : 'SELECT count(*) >= 0 AS holds FROM held'}
  ), counts AS MATERIALIZED (
    SELECT * FROM ${groups === 'plain' ? 'placed' : 'cells'} WHERE ${HOLDS}
  ), left_queue AS (
    DELETE FROM queue USING chosen WHERE queue.id = chosen.id AND ${HOLDS}
  ), stored AS (
    INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
      correlation_id, fingerprint, fingerprint_version, release, correlation, payload, failed_payment)
    SELECT id, organization_id, "projectId", "receivedAt", severity, type, source, message,
      "correlationId", fingerprint, "fingerprintVersion", release, correlation, payload, "failedPayment"
    FROM kept WHERE ${HOLDS} ${ifKept('AND deploy IS NULL')}
  ), series AS MATERIALIZED (
    SELECT organization_id, project_id AS "projectId", severity, type, source, minute AS captured_minute,
      received_bucket, failed_payment, is_late, sum(count) AS count, max(received_ms) AS last_received_ms,
      sum(late_ms) AS late_ms
    FROM counts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
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
      array_agg(DISTINCT "formerFingerprint") FILTER (WHERE "formerFingerprint" IS NOT NULL) AS earlier,
      min(received_ms - captured_ms) AS late_ms,
      -- Late payments rank after those on time.
      row_number() OVER (
        PARTITION BY "projectId" ORDER BY min(received_ms - captured_ms) > $1) AS place
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
  ) ${watched ? tailed(watched) : ''}
  ${ifKept(`, announced AS MATERIALIZED (
    SELECT id, "projectId" AS project_id, deploy ->> 'release' AS release, deploy ->> 'environment' AS environment,
      (deploy ->> 'at')::timestamptz AS at, "receivedAt"
    FROM kept WHERE deploy IS NOT NULL
  )`)}, released AS (
    INSERT INTO releases AS r (project_id, version, first_seen, last_seen, deployed_at, events, errors, users, first_user)
    SELECT project_id, version, to_timestamp(min(first_ms) / 1000.0), to_timestamp(max(last_ms) / 1000.0),
      min(deployed_at), sum(count), coalesce(sum(count) FILTER (WHERE severity >= 'error'), 0),
      -- None, one, or two for more: without a sort, which counting different ones takes.
      coalesce(1 + (min(least_user) < max(greatest_user))::int, 0), ${shortHash('min(least_user)')}
    FROM (
      SELECT project_id, release AS version, severity, first_ms, last_ms, NULL::timestamptz AS deployed_at, count,
        least_user, greatest_user
      FROM counts WHERE release IS NOT NULL
      ${ifKept('UNION ALL SELECT project_id, release, NULL, NULL, NULL, at, 0, NULL, NULL FROM announced')}
    ) AS named GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, version) DO UPDATE SET first_seen = least(r.first_seen, excluded.first_seen),
      last_seen = greatest(r.last_seen, excluded.last_seen), deployed_at = least(r.deployed_at, excluded.deployed_at),
      events = r.events + excluded.events, errors = r.errors + excluded.errors,
      users = CASE WHEN r.users = 1 AND excluded.users = 1 AND r.first_user <> excluded.first_user THEN 2
        ELSE greatest(r.users, excluded.users) END,
      first_user = coalesce(r.first_user, excluded.first_user)
  ) ${ifKept(DEPLOYED)}, totals AS (
    SELECT accepted.project_id, accepted.accepted, accepted.duplicate,
      accepted.accepted - accepted.duplicate AS events, live.id IS NOT NULL AS alive
    FROM accepted LEFT JOIN live ON live.id = accepted.project_id WHERE ${HOLDS}
  ), recorded AS (
    INSERT INTO ledgers AS l (project_id, accepted, duplicate, stored, dropped)
    SELECT project_id, accepted, duplicate, CASE WHEN alive THEN events ELSE 0 END,
      CASE WHEN alive THEN 0 ELSE events END
    FROM totals ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET accepted = l.accepted + excluded.accepted,
      duplicate = l.duplicate + excluded.duplicate, stored = l.stored + excluded.stored,
      dropped = l.dropped + excluded.dropped
  ) ${groups === 'plain' ? `, ${COUNT_PLAIN_GROUPS}` : ''}
  SELECT ${HOLDS} AS "isPlain", taken.*, totals.*,
    (SELECT coalesce(sum(count), 0)::bigint FROM counts) ${ifKept('+ (SELECT count(*) FROM announced)')} AS inserted,
    ${groups === 'plain' ? 'NULL' : CELLS} AS cells
  FROM (SELECT min(id) AS "oldestId", count(*) AS batches FROM taken) AS taken CROSS JOIN (
    SELECT coalesce(sum(events), 0)::bigint AS events, coalesce(sum(events) FILTER (WHERE alive), 0)::bigint AS stored,
      coalesce(sum(duplicate), 0)::bigint AS duplicate,
      coalesce(sum(events) FILTER (WHERE NOT alive), 0)::bigint AS dropped
    FROM totals
  ) AS totals`;
}

/** Constants: node-postgres compares the text of a prepared statement each time that it is executed. */
export const STORE_OLDEST = {
  plain: storeStatement(OLDEST, { watched: null, groups: 'plain' }),
  plainWatched: storeStatement(OLDEST, { watched: '$5', groups: 'plain' }),
  kept: storeStatement(OLDEST, { watched: null, groups: 'kept' }),
  keptWatched: storeStatement(OLDEST, { watched: '$5', groups: 'kept' }),
};
export const STORE_ONE = storeStatement(ONE, { watched: '$3', groups: 'kept' });
