import { nameOfNumber } from '../../environments/numbers.ts';
import { GROUPS_ARE_LOCKED } from '../../groups/keep/known-groups.ts';

/* Writes `queue`, `events` and `live_tail`. */

/** Maximum samples of an organization in one statement. */
const MAX_SAMPLES = 50;

export const DELETED_BATCHES = `deleted_batches AS (
    DELETE FROM queue USING chosen_batches WHERE queue.id = chosen_batches.id
  )`;

/** @param weight column of the weight that each event has where projects keep samples; null: all are kept */
export const storedEvents = (weight: string | null) => `stored_events AS (
    INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
      correlation_id, fingerprint, fingerprint_version, release, correlation, payload, changed, failed_payment,
      amount, currency, environment, is_alert, scrubbed${weight ? ', weight' : ''})
    SELECT id, organization_id, "projectId", "receivedAt", severity, type, source, message,
      "correlationId", fingerprint, "fingerprintVersion", release, correlation, payload, changed, "failedPayment",
      amount, currency, environment_number, "isAlert", scrubbed${weight ? ', weight' : ''}
    FROM (SELECT *${withWeight(weight)} FROM parsed_events) AS events
    WHERE deploy IS NULL AND alerts IS NULL AND ${GROUPS_ARE_LOCKED}${weight ? ' AND weight IS DISTINCT FROM 0' : ''}
  )`;

const withWeight = (weight: string | null) => (weight ? `, ${weight} AS weight` : '');

/** Samples for the organizations of a parameter, which have live viewers: events that are kept. */
export const liveSamples = (organizations: `$${number}`, weight: string | null) => `live_samples AS (
    INSERT INTO live_tail (organization_id, events, omitted)
    SELECT organization_id, jsonb_agg(
        to_jsonb(recent) - '{place,captured_ms,received_ms,release_name,user_hash,environment_number,is_watched,is_spooled,sample_above,is_kept}'::text[]
          || jsonb_build_object('environment', ${nameOfNumber('environment_number', '"projectId"')}) ORDER BY id
      ) FILTER (WHERE place <= ${MAX_SAMPLES} AND is_kept), count(*) - count(*) FILTER (WHERE place <= ${MAX_SAMPLES} AND is_kept)
    FROM (
      SELECT events.*, row_number() OVER (PARTITION BY organization_id ORDER BY is_kept DESC, id DESC) AS place
      FROM (SELECT *${withWeight(weight)}, ${weight ? `${weight} IS DISTINCT FROM 0` : 'true'} AS is_kept FROM parsed_events) AS events WHERE organization_id = ANY (${organizations}::uuid[]) AND deploy IS NULL
        AND alerts IS NULL
    ) AS recent GROUP BY organization_id
  )`;
