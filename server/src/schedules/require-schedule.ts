import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { findSchedule } from './queries.ts';
import type { ScheduleRow } from './rows.ts';

/** Public ids in the path of a schedule. */
export interface SchedulePath {
  id: string;
  scheduleId: string;
}

/**
 * Returns the schedule of a project of the organization.
 * @throws ApiError `not_found`
 */
export async function requireSchedule(
  database: Queryable,
  organizationId: string,
  path: SchedulePath,
  lock: 'lock' | 'read' = 'read',
): Promise<ScheduleRow> {
  const project = await requireProject(database, organizationId, path.id);
  const scheduleId = toUuid('sch', path.scheduleId);
  const schedule = scheduleId && (await findSchedule(database, project.id, scheduleId, lock));
  if (!schedule) throw new ApiError('not_found', 'Schedule not found.');
  return schedule;
}
