import { numberOf, unwatchedOf } from '../../environments/numbers.ts';

/*
 * Reads `queue` and `projects`, and locks the rows. $2 and $3: the first and the last id; $4 and $5: maximum rows and
 * bytes.
 */

/** The oldest rows that no other worker holds. */
export const LOCKED_BATCHES = `locked_batches AS (
    SELECT id, bytes FROM queue WHERE id BETWEEN $2 AND $3 ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED
  )`;

/** Limits the rows by their bytes, to one at least. */
export const CHOSEN_BATCHES = `chosen_batches AS (
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM locked_batches) AS sized
    WHERE bytes_before < $5
  )`;

export const TAKEN_BATCHES = `taken_batches AS MATERIALIZED (
    SELECT queue.id, queue.deltas, queue.events, queue.is_spooled FROM queue JOIN chosen_batches ON queue.id = chosen_batches.id
  )`;

/** Events by project, by the queue's own counts. */
export const ACCEPTED_COUNTS = `accepted_counts AS MATERIALIZED (
    SELECT delta.key::uuid AS project_id, sum((delta.value -> 'accepted')::bigint) AS accepted,
      sum((delta.value -> 'duplicate')::bigint) AS duplicate
    FROM taken_batches CROSS JOIN LATERAL jsonb_each(taken_batches.deltas) AS delta GROUP BY 1
  )`;

/**
 * The projects that are not deleted, locked against deletion, with the numbers of their environments. An event that names
 * none has the project's own.
 */
export const LIVE_PROJECTS = `live_projects AS MATERIALIZED (
    SELECT id, organization_id, ${numberOf('environment')} AS own_environment,
      (SELECT jsonb_object_agg(name, number) FROM environments AS e WHERE e.project_id = projects.id) AS environment_numbers,
      ${unwatchedOf('projects.id')} AS unwatched_environments, sample_above, counted_fields
    FROM projects
    WHERE id IN (SELECT project_id FROM accepted_counts) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
  )`;
