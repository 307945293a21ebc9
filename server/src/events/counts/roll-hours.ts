import { inPlainTransaction, type Pool } from '../../database/database.ts';
import { listPlaces } from './hour-queries.ts';
import {
  addRolledHour,
  listHoursOfProject,
  lockHours,
  lockNextHour,
  takeStaleHours,
} from './roll-queries.ts';
import { writeHour } from './write-hour.ts';

/** Maximum hours of one transaction: a few seconds. */
const MAX_HOURS = 10;

/**
 * Copies the next hours that are over, the oldest first, and those again that have had later events, up to
 * `maxHours`.
 * @returns true if there may be more
 */
export async function rollHours(pool: Pool, maxHours: number): Promise<boolean> {
  for (let rolled = 0; rolled < maxHours; rolled += MAX_HOURS) {
    if ((await rollStale(pool)) < MAX_HOURS) break;
  }
  for (let rolled = 0; rolled < maxHours; rolled++) {
    if (!(await rollNext(pool))) return false;
  }
  return true;
}

function rollNext(pool: Pool): Promise<boolean> {
  return inPlainTransaction(pool, async (transaction) => {
    await lockHours(transaction);
    const hour = await lockNextHour(transaction);
    if (!hour) return false;
    await writeHour(transaction, hour, await listPlaces(transaction, hour));
    await addRolledHour(transaction, hour);
    return true;
  });
}

/** @returns how many marks there were */
function rollStale(pool: Pool): Promise<number> {
  return inPlainTransaction(pool, async (transaction) => {
    await lockHours(transaction);
    const stale = await takeStaleHours(transaction, MAX_HOURS);
    for (const { hour, ...places } of stale) await writeHour(transaction, hour, places);
    return stale.reduce((marks, { projectIds }) => marks + projectIds.length, 0);
  });
}

/**
 * Removes the copies of a project whose counts by the minute and marks are gone, of some hours.
 * @returns how many hours there were
 */
export function removeHours(
  pool: Pool,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<number> {
  return inPlainTransaction(pool, async (transaction) => {
    await lockHours(transaction);
    const hours = await listHoursOfProject(transaction, id, MAX_HOURS);
    const place = { organizationIds: [organizationId], projectIds: [id] };
    for (const hour of hours) await writeHour(transaction, hour, place);
    return hours.length;
  });
}
