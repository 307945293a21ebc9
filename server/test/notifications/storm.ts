import type { Pool } from '../../src/database/database.ts';
import { enqueueChanges } from '../../src/outbox/enqueue-changes.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import type { TestUser } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';

export const STORM_INCIDENTS = rounds(500, 2_500);
export const STORM_CHANGES = 4 * STORM_INCIDENTS;

/** Creates the incidents of a storm in a project. @returns a function that puts four changes of each into the outbox */
export async function prepareStorm(
  { pool, clock }: { pool: Pool; clock: Clock },
  user: TestUser,
  project: { id: string },
): Promise<() => Promise<void>> {
  const ids = Array.from({ length: STORM_INCIDENTS }, () => newUuid(clock.now()));
  const organizationId = toUuid('org', user.organizationId) ?? '';
  const projectId = toUuid('proj', project.id) ?? '';
  await pool.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, title_origin, severity, status, origin, created_at, updated_at)
      SELECT id, $2, $3, 'Storm', 'person', 'error', 'open', 'manual', now(), now() FROM unnest($1::uuid[]) AS id`,
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
