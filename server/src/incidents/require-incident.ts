import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { findIncident } from './queries.ts';
import type { IncidentRow } from './rows.ts';

/**
 * The organization's incident with this public id.
 * @param lock locks the row until the transaction ends, which must hold `lockFrames`
 * @throws ApiError `not_found`, also for an incident of another organization: the answers do not differ
 */
export async function requireIncident(
  database: Queryable,
  organizationId: string,
  id: string,
  lock?: 'lock',
): Promise<IncidentRow> {
  const incidentId = toUuid('inc', id);
  const incident = incidentId && (await findIncident(database, organizationId, incidentId, lock));
  if (!incident) throw new ApiError('not_found', 'Incident not found.');
  return incident;
}
