import type { Static } from 'typebox';
import { inTransaction, type Store } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { shareProject } from '../../tenancy/projects/lock-queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import type { Session } from '../../tenancy/session.ts';
import { lockFrames } from '../frame-queries.ts';
import { createIncident } from '../mutation.ts';
import { countManualIncidentsSince } from '../queries.ts';
import type { NewIncident } from '../request-schema.ts';
import type { IncidentRow } from '../rows.ts';
import { writeIncident } from '../write-incident.ts';

/** Maximum incidents created by hand, of one organization. */
const MAX_INCIDENTS_A_DAY = 5_000;

/**
 * Creates an incident on behalf of a person, with an audit record.
 * @throws ApiError `not_found` (no such project), `limit_reached`
 */
export async function createManualIncident(
  store: Store,
  session: Session,
  body: Static<typeof NewIncident>,
): Promise<IncidentRow> {
  const { organizationId, user } = session;
  return inTransaction(store, async (transaction) => {
    // The lock on frames is one for all organizations: it is acquired only if the project exists.
    await requireProject(transaction, organizationId, body.projectId);
    await lockFrames(transaction);
    const since = transaction.now() - DAY_MS;
    if ((await countManualIncidentsSince(transaction, organizationId, since)) >= MAX_INCIDENTS_A_DAY) {
      throw new ApiError(
        'limit_reached',
        `An organization can create up to ${MAX_INCIDENTS_A_DAY} incidents manually in 24 hours.`,
      );
    }
    const project = await requireProject(transaction, organizationId, body.projectId, shareProject);
    const { severity, status = 'open' } = body;
    const input = {
      organizationId,
      projectId: project.id,
      title: body.title.trim(),
      severity,
      status,
      cause: { kind: 'manual' as const, userId: user.id },
    };
    const incident = await writeIncident(transaction, createIncident(input, transaction.now()));
    await recordChange(transaction, session, {
      action: 'incident.created',
      target: ['inc', incident.id],
      before: null,
      after: { title: incident.title, severity, status, projectId: toId('proj', project.id) },
    });
    return incident;
  });
}
