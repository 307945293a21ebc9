import type { Pool } from '../../database/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { uuidTime } from '../../platform/ids.ts';
import { findShortestRetention } from '../../tenancy/projects/queries.ts';

interface MissingEventDependencies {
  pool: Pool;
  clock: Clock;
  /** Days for which the installation keeps events. */
  retentionDays: number;
}

/** Returns the error about an event that is not there. Its id holds its time, which tells if retention may have removed it. */
export async function missingEvent(
  { pool, clock, retentionDays }: MissingEventDependencies,
  organizationId: string,
  eventId: string | null,
): Promise<ApiError> {
  const ageDays = eventId === null ? 0 : (clock.now() - uuidTime(eventId)) / DAY_MS;
  if (ageDays > retentionDays) return notFound(retentionDays, 'events');
  const shortestDays = await findShortestRetention(pool, organizationId);
  return shortestDays !== null && ageDays > shortestDays
    ? notFound(shortestDays, 'some events')
    : new ApiError('not_found', 'Event not found.');
}

function notFound(days: number, removed: string): ApiError {
  const age = days === 1 ? '1 day' : `${days} days`;
  return new ApiError(
    'not_found',
    `Event not found. It is more than ${age} old, and ${removed} are removed at that age.`,
  );
}
