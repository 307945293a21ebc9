import type { Queryable } from '../../src/database/database.ts';
import { type LateHour, upsertStaleHours } from '../../src/events/counts/roll-queries.ts';

const HOUR_MS = 3_600_000;

/** Marks the hours of minutes that were counted past the statement that stores events. */
export async function markLateHours(
  database: Queryable,
  organizationId: string,
  counted: readonly { projectId: string; minuteMs: number }[],
): Promise<void> {
  const hours = new Map<string, LateHour>();
  for (const { projectId, minuteMs } of counted) {
    const hourMs = Math.floor(minuteMs / HOUR_MS) * HOUR_MS;
    hours.set(`${projectId} ${hourMs}`, { organizationId, projectId, hourMs });
  }
  await upsertStaleHours(database, [...hours.values()]);
}
