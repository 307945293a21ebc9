import { LATE_MINUTES } from '../../events/counts/roll-queries.ts';
import { HOUR_MS } from '../../platform/durations.ts';

/* Writes `event_counts`, and `risk_inbox` for detection, which gets nothing of environments that are not watched. */

export const SERIES_COUNTS = `series_counts AS MATERIALIZED (
    SELECT organization_id, project_id, severity, type, source, minute, received_bucket, failed_payment, is_late,
      environment, is_watched, is_alert, is_spooled, sum(count) AS count, max(received_ms) AS last_received_ms,
      sum(late_ms) AS late_ms
    FROM grouped_cells GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
  )`;

export const MINUTE_COUNTS = `minute_counts AS (
    INSERT INTO event_counts AS c (organization_id, project_id, minute, severity, type, source, environment,
      count, failed_payments, alerts)
    SELECT organization_id, project_id, to_timestamp(minute * 60), severity, type, source, environment, sum(count),
      coalesce(sum(count) FILTER (WHERE failed_payment AND severity < 'error'), 0),
      coalesce(sum(count) FILTER (WHERE is_alert), 0)
    FROM series_counts GROUP BY 1, 2, minute, 4, 5, 6, 7 ORDER BY 1, 2, minute, 4, 5, 6, 7
    ON CONFLICT (organization_id, project_id, minute, severity, type, source, environment)
      DO UPDATE SET count = c.count + excluded.count,
        failed_payments = c.failed_payments + excluded.failed_payments,
        alerts = c.alerts + excluded.alerts
  )`;

/** Column for `upsertStaleHours`: hours of which copies may have been made. */
export const LATE_HOURS = `(
    SELECT coalesce(json_agg(late), '[]') FROM (
      SELECT DISTINCT organization_id AS "organizationId", project_id AS "projectId", minute / 60 * ${HOUR_MS} AS "hourMs"
      FROM series_counts WHERE minute < date_part('epoch', now()) / 60 - ${LATE_MINUTES}
    ) AS late
  ) AS "lateHours"`;

/**
 * Error groups for detection; late payments rank after those on time. One that is seen only among what waited on disk is
 * reported as new when it occurs again.
 */
export const ERROR_GROUPS = `error_groups AS MATERIALIZED (
    SELECT "projectId", fingerprint, min(type) AS type, max(severity) AS severity, min(source) AS source,
      left(min(message), 200) AS message, max("receivedAt") AS last_received_at,
      array_agg(DISTINCT "formerFingerprint") FILTER (WHERE "formerFingerprint" IS NOT NULL) AS earlier,
      min(received_ms - captured_ms) AS late_ms,
      row_number() OVER (
        PARTITION BY "projectId" ORDER BY min(received_ms - captured_ms) > $1) AS place
    FROM parsed_events WHERE severity >= 'error' AND is_watched AND NOT is_spooled GROUP BY 1, 2
  )`;

/**
 * Maximum fingerprints of a batch: a storm of distinct messages must not swell the inbox, and those left out come
 * again or are noise.
 */
const MAX_ERRORS = 100;
/** Maximum earlier fingerprints of one error: there is usually one; more are the messages of a storm. */
const MAX_EARLIER = 10;

const WITH_FIELDS = `(
      SELECT series_counts.*, fields FROM series_counts LEFT JOIN field_matches AS f
        ON f.project_id = series_counts.project_id AND f.type = series_counts.type AND f.minute = series_counts.minute
          AND f.received_bucket = series_counts.received_bucket AND f.severity = series_counts.severity
          AND f.source IS NOT DISTINCT FROM series_counts.source AND f.failed_payment = series_counts.failed_payment
          AND f.is_late = series_counts.is_late AND f.environment = series_counts.environment
          AND f.is_spooled = series_counts.is_spooled AND NOT series_counts.is_alert
    ) AS series_counts`;
const FIELDS = `
        || CASE WHEN fields IS NULL THEN '{}' ELSE jsonb_build_object('fields', fields) END`;

/** @param countsFields true where projects have rules about fields (count-fields.ts) */
export const riskInbox = (countsFields: boolean) => `inbox_entries AS (
    INSERT INTO risk_inbox (errors, deltas, entries, from_ms)
    SELECT (
      SELECT coalesce(jsonb_agg(jsonb_build_object('projectId', "projectId", 'fingerprint', fingerprint,
        'type', type, 'severity', severity, 'source', source, 'message', message,
        'atMs', (extract(epoch FROM last_received_at) * 1000)::bigint, 'lateMs', late_ms)
        || CASE WHEN earlier IS NULL THEN '{}'
          ELSE jsonb_build_object('earlierFingerprints', earlier[:${MAX_EARLIER}]) END), '[]')
      FROM error_groups WHERE place <= ${MAX_ERRORS}
    ), jsonb_agg(jsonb_build_object('projectId', project_id, 'type', type, 'source', source,
      'severity', CASE WHEN failed_payment THEN greatest(severity, 'error') ELSE severity END,
      'bucketMs', (extract(epoch FROM received_bucket) * 1000)::bigint, 'count', count,
      'lastMs', last_received_ms, 'lateMs', round(late_ms / count))
        || CASE WHEN is_late THEN jsonb_build_object('capturedMs', minute * 60000) ELSE '{}' END
        || CASE WHEN is_spooled THEN jsonb_build_object('isSpooled', true) ELSE '{}' END${countsFields ? FIELDS : ''}),
      count(*) + (SELECT count(*) FROM error_groups WHERE place <= ${MAX_ERRORS}),
      (extract(epoch FROM min(received_bucket)) * 1000)::bigint
    FROM ${countsFields ? WITH_FIELDS : 'series_counts'} WHERE is_watched HAVING count(*) > 0
  )`;
