import { MAX_NEW_GROUPS } from '../../groups/limits.ts';
import { hourContinues } from '../../groups/sampled-hour.ts';

/*
 * Decides which events are kept where projects keep samples, and writes `sampled_events`. An event has a place: the
 * number of events of its kind that were stored in the hour before it, itself included; those of watched environments
 * and the others count apart, so that a storm in one hides none of production. Up to the project's number N every place is kept; beyond it, one in two up to 2 N, one in four up to 4 N, and so on. The one that is kept is the
 * last of those that it stands for, so weights add up to the place of the last one that was kept. Groups are locked and
 * read in their current state: two workers that store events of one kind count on from each other.
 *
 * Payments and alerts are always kept: each has an amount or a state of its own.
 */

/** Numbers of N from which on the next event stands for twice as many: it stands for a million at most. */
const DOUBLINGS = Array.from({ length: 20 }, (_, doubling) => 2 ** doubling);

/** True if the group with the cells of a kind is the catch-all group, and that kind begins no group of its own. */
const FOLDS = `coalesce((
    SELECT CASE WHEN worst >= 'error' AND has_watched THEN new_errors ELSE new_others END >= ${MAX_NEW_GROUPS}
    FROM group_numbers AS n WHERE n.project_id = kinds.project_id
      AND n.day >= (SELECT to_timestamp(max(received_ms) / 1000.0) AT TIME ZONE 'UTC' FROM count_cells)::date
  ), false)`;

/**
 * Events of each kind that were stored in the hour before this batch, as an object, those of watched environments and
 * the others apart: none of a kind that has no group yet. Kinds that lead to one group count on from each other.
 */
export const SAMPLED_KINDS = `sampled_kinds AS MATERIALIZED (
    SELECT jsonb_object_agg(project_id || ' ' || fingerprint || ' ' || is_watched,
      coalesce(((SELECT jsonb_object_agg(id, ARRAY[sampled_unwatched, sampled_watched]) FROM locked_groups
          WHERE ${hourContinues('sampled_hour', '$6')})
        -> group_id::text -> is_watched::integer)::bigint, 0) + others) AS before
    FROM (
      SELECT project_id, fingerprint, group_id, is_watched,
        sum(count) OVER (PARTITION BY group_id, is_watched ORDER BY fingerprint) - count AS others
      FROM (
        SELECT project_id, fingerprint, group_id, is_own, is_watched, sum(count) AS count,
          max(max(severity)) OVER kind AS worst, bool_or(is_watched) OVER kind AS has_watched
        FROM grouped_cells
        WHERE group_id IS NOT NULL AND project_id IN (SELECT id FROM live_projects WHERE sample_above IS NOT NULL)
        GROUP BY 1, 2, 3, 4, 5 WINDOW kind AS (PARTITION BY project_id, fingerprint)
      ) AS kinds
      WHERE is_own OR group_id NOT IN (SELECT id FROM locked_groups WHERE number = 0) OR ${FOLDS}
    ) AS counted
  )`;

/** Events of projects that keep samples, each with the number of events that it stands for; 0: it is not kept. */
export const EVENT_WEIGHTS = `event_weights AS MATERIALIZED (
    SELECT id, project_id, captured_ms, CASE WHEN place % weight = 0 THEN weight ELSE 0 END AS weight
    FROM (
      SELECT *, 1 << width_bucket((place - 1) / sample_above, '{${DOUBLINGS.join()}}'::bigint[]) AS weight FROM (
        SELECT id, "projectId" AS project_id, captured_ms, sample_above,
          coalesce(((SELECT before FROM sampled_kinds) -> ("projectId" || ' ' || fingerprint || ' ' || is_watched))::bigint, 0)
            + row_number() OVER (PARTITION BY "projectId", fingerprint, is_watched ORDER BY id) AS place
        FROM parsed_events
        WHERE sample_above IS NOT NULL AND deploy IS NULL AND alerts IS NULL AND "failedPayment" IS NULL AND "isAlert" IS NULL
      ) AS placed
    ) AS weighed
  ), weights_by_id AS MATERIALIZED (
    SELECT jsonb_object_agg(id, weight) AS weights FROM event_weights
  ), sampled_counts AS MATERIALIZED (
    SELECT project_id, count(*) AS count FROM event_weights WHERE weight = 0 GROUP BY 1
  )`;

/** Weight of an event in `parsed_events`; null: it stands for itself. */
export const WEIGHT = `nullif(((SELECT weights FROM weights_by_id) -> id::text)::integer, 1)`;

export const UNKEPT_IDS = `unkept_ids AS (
    INSERT INTO sampled_events (project_id, minute, hashes)
    SELECT project_id, to_timestamp(captured_ms / 60000 * 60), array_agg(uuid_hash(id))
    FROM event_weights WHERE weight = 0 GROUP BY 1, 2
  )`;
