import type { Static } from 'typebox';
import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { changedFields, pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import { assertOwner } from '../organizations/change-members.ts';
import { deleteEnvironmentNotices } from '../organizations/notice-queries.ts';
import { lockOrganization } from '../organizations/queries.ts';
import { requireScope } from '../require-scope.ts';
import type { Session } from '../session.ts';
import { projectOfPrefix } from './group-key.ts';
import { isGroupPrefix, replacePrefix, toGroupPrefix } from './group-prefix.ts';
import { MAX_GROUP_PREFIX } from './limits.ts';
import { lockProject } from './lock-queries.ts';
import { listProjects, updateProject } from './queries.ts';
import { requireProject } from './require-project.ts';
import type { ProjectPatch, ProjectRow } from './schema.ts';

/** Fields of a project that the audit log shows. */
export const AUDITED_FIELDS = [
  'name',
  'environment',
  'groupPrefix',
  'scrubbing',
  'retention',
  'sampleAbove',
] as const;

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
    // First, since its lock comes before that of the project.
    if (patch.groupPrefix !== undefined) await lockOrganization(transaction, session.organizationId);
    const before = await requireProject(transaction, session.organizationId, id, lockProject);
    const after = {
      ...before,
      ...(patch.groupPrefix !== undefined && (await choosePrefix(transaction, before, patch.groupPrefix))),
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

/** @throws ApiError `validation_failed` for a prefix that another project has or had */
async function choosePrefix(
  transaction: Transaction,
  project: ProjectRow,
  text: string,
): Promise<Pick<ProjectRow, 'groupPrefix' | 'formerGroupPrefixes'>> {
  const prefix = toGroupPrefix(text);
  if (prefix === project.groupPrefix) return project;
  if (!isGroupPrefix(prefix))
    throw invalidPrefix(`must be letters, digits and hyphens, at most ${MAX_GROUP_PREFIX}`);
  const owner = projectOfPrefix(await listProjects(transaction, project.organizationId), prefix);
  if (owner && owner.id !== project.id)
    throw invalidPrefix(
      owner.groupPrefix === prefix
        ? `belongs to the project ${described(owner)}`
        : `belonged to the project ${described(owner)}: old links with it still lead there`,
    );
  return replacePrefix(project, prefix);
}

/** Projects of one name differ in the environment. */
const described = ({ name, environment }: ProjectRow) => `“${name}” (${environment})`;

function invalidPrefix(message: string): ApiError {
  return new ApiError('validation_failed', `body/groupPrefix ${message}.`, {
    fields: [{ pointer: '/groupPrefix', message }],
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
