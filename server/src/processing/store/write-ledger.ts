import { GROUPS_ARE_LOCKED } from '../../groups/keep/known-groups.ts';

/* Writes `ledgers`: events of projects that were deleted since are dropped, and counted as such. */

/** @param sampled number of events of a project that were counted and not kept, as SQL */
export const projectTotals = (sampled: string) => `project_totals AS (
    SELECT accepted_counts.project_id, accepted, duplicate, accepted - duplicate AS events, ${sampled} AS sampled,
      live_projects.id IS NOT NULL AS is_live
    FROM accepted_counts LEFT JOIN live_projects ON live_projects.id = accepted_counts.project_id
    WHERE ${GROUPS_ARE_LOCKED}
  )`;

export const LEDGER_ENTRIES = `ledger_entries AS (
    INSERT INTO ledgers AS l (project_id, accepted, duplicate, stored, dropped, sampled)
    SELECT project_id, accepted, duplicate, CASE WHEN is_live THEN events - sampled ELSE 0 END,
      CASE WHEN is_live THEN 0 ELSE events END, sampled
    FROM project_totals ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET accepted = l.accepted + excluded.accepted,
      duplicate = l.duplicate + excluded.duplicate, stored = l.stored + excluded.stored,
      dropped = l.dropped + excluded.dropped, sampled = l.sampled + excluded.sampled
  )`;
