import type { Queryable } from '../../database/database.ts';
import { requireHead } from '../../groups/require-group.ts';
import { requireIncident } from '../../incidents/require-incident.ts';
import { matchSubjects } from '../../outbox/find-silences.ts';
import { listActiveSilences } from '../../outbox/silence-queries.ts';

/**
 * UUIDs of the active silences that cover an incident or a group in its current state.
 * @param id id of the incident or the group
 * @throws ApiError `not_found`
 */
export async function listCoveringSilences(
  database: Queryable,
  organizationId: string,
  id: string,
  now: Date,
): Promise<string[]> {
  const subject = id.startsWith('grp_')
    ? await requireHead(database, organizationId, id, now)
    : await requireIncident(database, organizationId, id);
  const { projectId, severity } = subject;
  const active = await listActiveSilences(database, [organizationId], [projectId], now);
  if (active.length === 0) return [];
  const subjects = [{ organizationId, projectId, subjectId: subject.id, severity }];
  const matched = await matchSubjects(database, subjects, active);
  return (matched.get(subject.id) ?? []).map((silence) => silence.id);
}
