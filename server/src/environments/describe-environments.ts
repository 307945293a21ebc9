import type { Queryable } from '../database/database.ts';
import { HOUR_MS } from '../platform/durations.ts';
import { listEnvironments } from './queries.ts';
import type { ProjectEnvironment } from './schema.ts';

/** Returns the environments of a project, its own first. */
export async function describeEnvironments(
  database: Queryable,
  organizationId: string,
  projectId: string,
  nowMs: number,
): Promise<ProjectEnvironment[]> {
  const rows = await listEnvironments(database, organizationId, projectId, new Date(nowMs - HOUR_MS));
  return rows.map(({ events, ...environment }) => ({ ...environment, eventsLastHour: events }));
}
