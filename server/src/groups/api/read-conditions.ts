import type { Static } from 'typebox';
import type { Queryable } from '../../database/database.ts';
import { foldEnvironment } from '../../environments/fold-environment.ts';
import { readWords, refuseNul } from '../../events/conditions.ts';
import { invalidQuery } from '../../events/invalid-query.ts';
import { type Clock, confirmedTime } from '../../platform/clock.ts';
import { toUuid } from '../../platform/ids.ts';
import { numberOfKey, projectOfKey } from '../../tenancy/projects/group-key.ts';
import { listProjects } from '../../tenancy/projects/queries.ts';
import type { Session } from '../../tenancy/session.ts';
import type { GroupConditions } from '../conditions.ts';
import { NEW_GROUP_MS } from '../limits.ts';
import { findNumberedGroup } from '../queries.ts';
import type { GroupQuery } from '../schema.ts';

/**
 * Converts a validated query to conditions; null if no group can match: its project is none of the organization, or
 * its key is that of no group.
 * @throws ApiError `validation_failed`
 */
export async function readGroupConditions(
  database: Queryable,
  { organizationId, user }: Session,
  query: Static<typeof GroupQuery>,
  clock: Clock,
): Promise<GroupConditions | null> {
  refuseNul(query);
  const words = readWords(query.q);
  const projectId = query.project_id === undefined ? null : toUuid('proj', query.project_id);
  if (query.project_id !== undefined && projectId === null) return null;
  const projects = (await listProjects(database, organizationId)).filter(
    ({ id }) => projectId === null || id === projectId,
  );
  if (projects.length === 0) return null;
  const conditions: GroupConditions = {
    projectIds: projects.map(({ id }) => id),
    state: query.state ?? null,
    release: query.release ?? null,
    environment: foldEnvironment(query.environment ?? '') ?? null,
    source: query.source ?? null,
    type: query.type ?? null,
    severity: query.severity ?? null,
    minSeverity: query.min_severity ?? null,
    assigneeId: readAssignee(query.assignee, user.id),
    firstSeenAfter: query.is === 'new' ? new Date(clock.now() - NEW_GROUP_MS) : null,
    isRegressed: query.is === 'regressed',
    words,
    groupIds: null,
    at: new Date(confirmedTime(clock)),
  };
  const findByKey = async (key: string) => {
    const project = projectOfKey(projects, key);
    return project ? findNumberedGroup(database, project.id, numberOfKey(key) ?? 0) : null;
  };
  if (query.key !== undefined) {
    const groupId = await findByKey(query.key);
    return groupId === null ? null : { ...conditions, groupIds: [groupId] };
  }
  const [word] = words;
  const groupId = words.length === 1 && word !== undefined ? await findByKey(word) : null;
  // Words of messages end in numbers, too: `utf-8`.
  return groupId === null ? conditions : { ...conditions, groupIds: [groupId], words: [] };
}

/** @throws ApiError `validation_failed` for a text that is not the id of a user */
function readAssignee(assignee: string | undefined, userId: string): string | null {
  if (assignee === undefined || assignee === 'none') return assignee ?? null;
  if (assignee === 'me') return userId;
  const id = toUuid('usr', assignee);
  if (id === null) throw invalidQuery('/assignee', 'must be the id of a user, me or none');
  return id;
}
