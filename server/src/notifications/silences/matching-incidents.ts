import type { Queryable } from '../../database/database.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { matchSubjects } from '../../outbox/find-silences.ts';
import type { SilenceScope } from '../../outbox/matches-silence.ts';
import { listUnresolved } from './queries.ts';

/** Maximum unresolved incidents that a new silence is compared with, the newest. */
const MAX_INCIDENTS = 1_000;

/** Unresolved incidents that match a silence, active or not; newest first. */
export async function listMatchingIncidents(
  database: Queryable,
  silence: SilenceScope & { id: string; organizationId: string },
): Promise<IncidentRow[]> {
  const { organizationId, projectId } = silence;
  const unresolved = await listUnresolved(database, organizationId, projectId, MAX_INCIDENTS);
  const candidates = unresolved.map((incident) => ({ ...incident, subjectId: incident.id }));
  const matched = await matchSubjects(database, candidates, [silence]);
  return unresolved.filter(({ id }) => matched.has(id));
}
