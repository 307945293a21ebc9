import type { Static } from 'typebox';
import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { changedFields, pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import { assertOwner } from '../organizations/change-members.ts';
import { deleteEnvironmentNotices } from '../organizations/notice-queries.ts';
import { requireScope } from '../require-scope.ts';
import type { Session } from '../session.ts';
import { lockProject } from './lock-queries.ts';
import { updateProject } from './queries.ts';
import { requireProject } from './require-project.ts';
import type { ProjectPatch, ProjectRow } from './schema.ts';

/** Fields of a project that the audit log shows. */
export const AUDITED_FIELDS = ['name', 'environment', 'scrubbing', 'retention', 'sampleAbove'] as const;

/** Fields that remove or refuse events, for OWNERs. */
const LIMITING_FIELDS = ['retention', 'sampleAbove'] as const;

/**
 * @param store with the days for which the installation keeps events
 * @throws ApiError `not_found`, `validation_failed` for more days than those; `forbidden` and `insufficient_scope` for fields
 * that limit events
 */
export async function changeProject(
  store: Store & { retentionDays: number },
  session: Session,
  id: string,
  patch: Static<typeof ProjectPatch>,
): Promise<ProjectRow> {
  if (LIMITING_FIELDS.some((name) => patch[name] !== undefined)) {
    requireScope(session, ['admin']);
    assertOwner(session);
  }
  assertDays(patch.retention ?? {}, store.retentionDays);
  return inTransaction(store, async (transaction) => {
    const before = await requireProject(transaction, session.organizationId, id, lockProject);
    const after = {
      ...before,
      name: patch.name?.trim() ?? before.name,
      environment: patch.environment ?? before.environment,
      scrubbing: patch.scrubbing ?? before.scrubbing,
      retention: patch.retention ?? before.retention,
      sampleAbove: patch.sampleAbove === undefined ? before.sampleAbove : patch.sampleAbove,
    };
    if (changedFields(before, after, AUDITED_FIELDS).length === 0) return before;
    await updateProject(transaction, session.organizationId, after);
    if (after.environment !== before.environment)
      await deleteEnvironmentNotices(transaction, session.organizationId, {
        projectId: after.id,
        name: after.environment,
      });
    await recordChange(transaction, session, {
      action: 'project.changed',
      target: ['proj', before.id],
      before: pick(before, AUDITED_FIELDS),
      after: pick(after, AUDITED_FIELDS),
    });
    return after;
  });
}

function assertDays(retention: ProjectRow['retention'], maximum: number): void {
  const fields = Object.entries(retention).flatMap(([severity, days]) =>
    days > maximum ? [{ pointer: `/retention/${severity}`, message: `must be at most ${maximum}` }] : [],
  );
  const [first] = fields;
  if (first)
    throw new ApiError('validation_failed', `body${first.pointer} ${first.message}, the RETENTION_DAYS.`, {
      fields,
    });
}
