import { NO_NUMBER, numberOfName } from '../../environments/numbers.ts';
import { RELEASE, USER_NAME, userHash } from '../../releases/event-columns.ts';

/** The first 48 bits of an id are the milliseconds of its capturedAt. */
const CAPTURED_MS = `('x' || encode(substring(uuid_send(event.id) FOR 6), 'hex'))::bit(48)::bigint`;
/** `date_part` calculates in float8, which holds milliseconds exactly; `extract` calculates in numeric, at many times the cost. */
const RECEIVED_MS = `(date_part('epoch', "receivedAt") * 1000)::bigint`;

/** An event that names no environment has that of its project. */
const ENVIRONMENT_NUMBER = `CASE WHEN event.environment IS NULL THEN own_environment
      ELSE ${numberOfName('event.environment', 'environment_numbers')} END`;

/**
 * Events, deploys and notifications of alerts of live projects: each batch is parsed as JSON once. Alerts of other systems are
 * not watched, since they open incidents by themselves.
 */
export const PARSED_EVENTS = `parsed_events AS MATERIALIZED (
    SELECT event.*, live_projects.organization_id, ${CAPTURED_MS} AS captured_ms, ${RECEIVED_MS} AS received_ms,
      ${RELEASE} AS release_name, ${userHash(USER_NAME)} AS user_hash,
      ${ENVIRONMENT_NUMBER} AS environment_number,
      ${ENVIRONMENT_NUMBER} <> ALL (unwatched_environments) AND "isAlert" IS NULL AS is_watched, taken_batches.is_spooled, sample_above
    FROM taken_batches CROSS JOIN LATERAL jsonb_to_recordset(taken_batches.events::jsonb) AS event (
      id uuid, "projectId" uuid, "receivedAt" timestamptz(3), severity severity, type text, source text,
      message text, "correlationId" text, fingerprint text, "fingerprintVersion" smallint, "formerFingerprint" text,
      release text, correlation jsonb, payload jsonb, changed text[], "isAlert" boolean, "failedPayment" boolean,
      scrubbed jsonb, amount bigint, currency text, environment text, deploy jsonb, alerts jsonb)
    JOIN live_projects ON live_projects.id = event."projectId"
  )`;

/**
 * Events by all fields that are counted, and what is no event: each is grouped once, and every count is a sum of these. $1:
 * maximum milliseconds between capture and receipt of an event that is not late.
 */
export const PARSED_CELLS = `parsed_cells AS MATERIALIZED (
    SELECT organization_id, "projectId" AS project_id, severity, type, source, captured_ms / 60000 AS minute,
      date_bin('5 seconds', "receivedAt", 'epoch') AS received_bucket,
      coalesce("failedPayment", false) AS failed_payment,
      received_ms - captured_ms > $1 AS is_late, fingerprint, release_name AS release,
      max("formerFingerprint") AS former, count(*) AS count, max(received_ms) AS received_ms,
      sum((received_ms - captured_ms)::float8) AS late_ms, min(captured_ms) AS first_ms, max(captured_ms) AS last_ms,
      deploy IS NULL AND alerts IS NULL AS is_event, min(user_hash) AS least_user, max(user_hash) AS greatest_user,
      array_agg(user_hash) FILTER (WHERE user_hash IS NOT NULL) AS users,
      environment_number AS environment, is_watched, "isAlert" IS NOT NULL AS is_alert, is_spooled
    FROM parsed_events GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, is_event, environment_number, is_watched, is_alert,
      is_spooled
  )`;

export const COUNT_CELLS = 'count_cells AS (SELECT * FROM parsed_cells WHERE is_event)';

/** Notifications of alerts, read only where there are any. */
export const ALERT_NOTICES = `alert_notices AS MATERIALIZED (
    SELECT organization_id AS "organizationId", "projectId", received_ms AS "receivedMs", alerts AS notice
    FROM parsed_events WHERE alerts IS NOT NULL AND EXISTS (SELECT FROM parsed_cells WHERE NOT is_event)
  )`;

/** Column for `applyAlerts`. */
export const NOTICES = `(SELECT coalesce(json_agg(alert_notices ORDER BY "receivedMs"), '[]') FROM alert_notices) AS notices`;

/** Column for `insertEnvironments`: names without a number, of which the statement would store nothing right. */
export const UNKNOWN_ENVIRONMENTS = `(
    SELECT coalesce(json_agg(unknown), '[]') FROM (
      SELECT DISTINCT "projectId", environment AS name FROM parsed_events WHERE environment_number = ${NO_NUMBER}
      LIMIT 1000
    ) AS unknown
  ) AS "unknownEnvironments"`;
