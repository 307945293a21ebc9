import type { Queryable } from '../database/database.ts';
import { DAY_MS } from '../platform/durations.ts';
import { latestHold } from '../platform/stored-times.ts';
import { SCHEDULE_COLUMNS } from './queries.ts';
import type { ScheduleRow } from './rows.ts';

/**
 * When the next review is due; null: none ever is. Those of deleted projects wait for the purge, and are never
 * reviewed.
 */
export async function findNextReview(database: Queryable): Promise<Date | null> {
  const { rows } = await database.query<{ reviewAt: Date }>({
    name: 'find-next-review',
    text: `SELECT s.review_at AS "reviewAt" FROM schedules s JOIN projects p ON p.id = s.project_id
      WHERE s.review_at IS NOT NULL AND p.deleted_at IS NULL ORDER BY s.review_at LIMIT 1`,
  });
  return rows[0]?.reviewAt ?? null;
}

/**
 * Makes reviews due that a clock which was ahead has put off: by a check-in of that time, or for longer than their
 * intervals. Timetables differ by their days: a cron expression is reviewed if it is due beyond a week.
 */
export async function updateImpossibleReviews(database: Queryable, nowMs: number): Promise<void> {
  const latest = (maxMs: number) => new Date(latestHold(nowMs, maxMs));
  await database.query({
    name: 'update-impossible-reviews',
    text: `UPDATE schedules SET review_at = $1 WHERE review_at > $2 AND (last_check_in_at > $2 OR (runs -> 0 -> 'startMs')::bigint > $4
        OR due_at > CASE WHEN interval_seconds IS NULL THEN $3 ELSE $2 + make_interval(secs => interval_seconds) END)`,
    values: [new Date(nowMs), latest(0), latest(8 * DAY_MS), latestHold(nowMs, 0)],
  });
}

export interface DueSchedule extends ScheduleRow {
  organizationId: string;
  /** When this review was due: an outcome that opens or resolves makes it due at once. */
  reviewAt: Date;
}

/**
 * Locks due schedules, and leaves out those that another worker has locked; the projects are not deleted meanwhile.
 */
export async function lockSchedulesToReview(
  transaction: Queryable,
  now: Date,
  limit: number,
): Promise<DueSchedule[]> {
  const { rows } = await transaction.query<DueSchedule>(
    `SELECT ${SCHEDULE_COLUMNS}, p.organization_id AS "organizationId", s.review_at AS "reviewAt"
      FROM schedules s JOIN projects p ON p.id = s.project_id AND p.deleted_at IS NULL
      WHERE s.review_at <= $1 ORDER BY s.review_at LIMIT $2
      FOR UPDATE OF s SKIP LOCKED FOR KEY SHARE OF p SKIP LOCKED`,
    [now, limit],
  );
  return rows;
}

/**
 * Lets the schedule continue an incident whose resolution was undone: its next successes resolve it. Unless it has
 * another one, which failed since.
 */
export async function updateContinuedIncident(
  database: Queryable,
  { projectId, scheduleId, incidentId }: { projectId: string; scheduleId: string; incidentId: string },
): Promise<void> {
  await database.query(
    `UPDATE schedules SET incident_id = $3, successes = 0
      WHERE project_id = $1 AND id = $2 AND (incident_id IS NULL OR incident_id = $3) AND paused_at IS NULL`,
    [projectId, scheduleId, incidentId],
  );
}

export async function findLastIncidentId(database: Queryable, scheduleId: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT id FROM incidents WHERE schedule_id = $1 ORDER BY id DESC LIMIT 1',
    [scheduleId],
  );
  return rows[0]?.id ?? null;
}
