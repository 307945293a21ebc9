import type { Static } from 'typebox';
import type { Session } from '../accounts/queries.ts';
import { recordChange } from '../audit/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool } from '../platform/database.ts';
import { toId } from '../platform/ids.ts';
import { requireProject } from '../projects/require-project.ts';
import { createIncident } from './create-incident.ts';
import { lockFrames } from './queries.ts';
import type { IncidentRow, NewIncident } from './schema.ts';

/**
 * Creates an incident for a person, who is recorded.
 * @throws ApiError `not_found` (no such project)
 */
export async function createManualIncident(
  pool: Pool,
  clock: Clock,
  { organizationId, user }: Session,
  body: Static<typeof NewIncident>,
): Promise<IncidentRow> {
  return inTransaction(pool, async (transaction) => {
    await lockFrames(transaction);
    const project = await requireProject(transaction, organizationId, body.projectId, 'lock');
    const { severity, status = 'open' } = body;
    const incident = await createIncident(transaction, clock, {
      organizationId,
      projectId: project.id,
      title: body.title.trim(),
      severity,
      status,
      userId: user.id,
      risk: null,
    });
    await recordChange(
      transaction,
      clock,
      { organizationId, userId: user.id },
      {
        action: 'incident.created',
        targetId: toId('inc', incident.id),
        before: null,
        after: { title: incident.title, severity, status, projectId: toId('proj', project.id) },
      },
    );
    return incident;
  });
}
