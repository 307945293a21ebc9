import type { Queryable } from '../../database/database.ts';
import {
  deleteHour,
  type HourPlaces,
  insertGroupHours,
  insertLargestFingerprints,
  insertOrganizationHours,
  insertProjectHours,
} from './hour-queries.ts';

/**
 * The one writer of `event_hours`, `group_recent_hours` and `fingerprint_hours`: replaces the copies of projects, in a transaction that
 * holds the lock `hours`, so that each statement sees what others have written. Sums and lists are made again from all
 * projects of their organizations.
 */
export async function writeHour(transaction: Queryable, hour: Date, places: HourPlaces): Promise<void> {
  await deleteHour(transaction, hour, places);
  await insertProjectHours(transaction, hour, places);
  await insertOrganizationHours(transaction, hour, places.organizationIds);
  await insertGroupHours(transaction, hour, places.projectIds);
  await insertLargestFingerprints(transaction, hour, places.organizationIds);
}
