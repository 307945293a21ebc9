import { FIELD_COLUMNS, fulfilsField } from '../../events/field-condition.ts';
import { evaluatedSeverity } from '../../events/series-condition.ts';
import { GROUPS_ARE_LOCKED } from '../../groups/keep/known-groups.ts';

/*
 * Counts the events that fulfil conditions of rules on fields of the payload, in projects that have such rules, and writes
 * `field_counts`.
 */

/** Events that fulfil each condition, as an object by its key, with the columns of `series_counts` that tell events apart. */
export const FIELD_MATCHES = `field_matches AS MATERIALIZED (
    SELECT organization_id, project_id, severity, type, source, minute, received_bucket, failed_payment, is_late, environment,
      is_spooled, jsonb_object_agg(key, count) AS fields
    FROM (
      SELECT parsed_events.organization_id, "projectId" AS project_id, severity, type, source, captured_ms / 60000 AS minute,
        date_bin('5 seconds', "receivedAt", 'epoch') AS received_bucket,
        coalesce("failedPayment", false) AS failed_payment, received_ms - captured_ms > $1 AS is_late,
        environment_number AS environment, is_spooled, key, count(*) AS count
      FROM live_projects JOIN parsed_events ON "projectId" = live_projects.id
      CROSS JOIN LATERAL jsonb_to_recordset(counted_fields) AS condition (${FIELD_COLUMNS})
      WHERE counted_fields IS NOT NULL AND deploy IS NULL AND alerts IS NULL AND "isAlert" IS NULL AND ${fulfilsField('payload')}
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ) AS counted GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  )`;

export const FIELD_COUNTS = `minute_fields AS (
    INSERT INTO field_counts AS c (organization_id, project_id, minute, condition, severity, type, source, environment, count)
    SELECT organization_id, project_id, to_timestamp(minute * 60), key,
      ${evaluatedSeverity('field_matches')}, type, source, environment, sum(value::bigint)
    FROM field_matches CROSS JOIN LATERAL jsonb_each_text(fields) AS field
    WHERE ${GROUPS_ARE_LOCKED} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (organization_id, project_id, minute, condition, severity, type, source, environment)
      DO UPDATE SET count = c.count + excluded.count
  )`;
