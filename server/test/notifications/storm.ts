import type { Pool } from '../../src/database/database.ts';
import { enqueueChanges } from '../../src/notifications/outbox/enqueue-changes.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import type { TestUser } from '../support/service.ts';

const INCIDENTS = 2_500;

/** 2,500 incidents of a project. @returns what puts four changes of each, 10,000, into the outbox */
export async function prepareStorm(
  { pool, clock }: { pool: Pool; clock: Clock },
  user: TestUser,
  project: { id: string },
): Promise<() => Promise<void>> {
  const ids = Array.from({ length: INCIDENTS }, () => newUuid(clock.now()));
  const organizationId = toUuid('org', user.organizationId) ?? '';
  const projectId = toUuid('proj', project.id) ?? '';
  await pool.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, created_at, updated_at)
      SELECT id, $2, $3, 'Storm', 'error', 'open', 'manual', now(), now() FROM unnest($1::uuid[]) AS id`,
    [ids, organizationId, projectId],
  );
  return async () => {
    for (const change of ['opened', 'worse', 'resolved', 'opened'] as const) {
      await enqueueChanges(
        pool,
        ids.map((subjectId) => ({
          organizationId,
          projectId,
          subjectKind: 'incident',
          subjectId,
          change,
          severity: 'error',
          severityBefore: 'error',
          at: new Date(clock.now()),
        })),
      );
    }
  };
}
