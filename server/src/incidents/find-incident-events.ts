import type { Pool } from '../database/database.ts';
import type { IncidentEvents } from '../events/read-types.ts';
import type { EventReader } from '../events/reader.ts';
import { listedEventsOf } from './lead.ts';
import { findIncident } from './queries.ts';

/** Finds the events that an incident lists; null: none, or the organization has no such incident. */
export function createIncidentFinder(pool: Pool): EventReader['findIncident'] {
  return async (organizationId, incidentId): Promise<IncidentEvents | null> => {
    const incident = await findIncident(pool, organizationId, incidentId);
    return incident && listedEventsOf(incident);
  };
}
