import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { NO_QUOTA, QUOTA_LIMITS, type Quota } from '../api-keys/quota.ts';
import { changedFields, pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import { assertOwner } from '../organizations/change-members.ts';
import { lockProject } from '../projects/lock-queries.ts';
import { requireProject } from '../projects/require-project.ts';
import type { Session } from '../session.ts';
import { defaultQuotaOf } from './describe-quotas.ts';
import { findQuota, lockLimitedKey, type QuotaSubject, upsertQuota } from './queries.ts';
import type { QuotaPatch } from './schema.ts';

/** @throws ApiError `not_found`, `forbidden` */
export async function changeProjectQuota(
  store: Store,
  session: Session,
  id: string,
  patch: QuotaPatch,
): Promise<Quota> {
  assertOwner(session);
  return inTransaction(store, async (transaction) => {
    const project = await requireProject(transaction, session.organizationId, id, lockProject);
    const subject = { projectId: project.id, keyId: null };
    return change(transaction, session, { subject, usual: NO_QUOTA }, patch);
  });
}

/** @throws ApiError `not_found`, `forbidden` */
export async function changeKeyQuota(
  store: Store,
  session: Session,
  id: string,
  patch: QuotaPatch,
): Promise<Quota> {
  assertOwner(session);
  const keyId = toUuid('key', id);
  return inTransaction(store, async (transaction) => {
    const key = keyId && (await lockLimitedKey(transaction, session.organizationId, keyId));
    if (!key) throw new ApiError('not_found', 'API key not found.');
    const subject = { projectId: key.projectId, keyId: key.id };
    return change(transaction, session, { subject, usual: defaultQuotaOf(key) }, patch);
  });
}

async function change(
  transaction: Transaction,
  session: Session,
  { subject, usual }: { subject: QuotaSubject; usual: Quota },
  patch: QuotaPatch,
): Promise<Quota> {
  const before = (await findQuota(transaction, session.organizationId, subject)) ?? usual;
  const after = {
    ...before,
    ...pick(
      patch,
      QUOTA_LIMITS.filter((name) => patch[name] !== undefined),
    ),
  };
  const changed = changedFields(before, after, QUOTA_LIMITS);
  if (changed.length === 0) return before;
  await upsertQuota(transaction, session.organizationId, subject, after);
  const { projectId, keyId } = subject;
  await recordChange(transaction, session, {
    action: keyId === null ? 'project.quota_changed' : 'api_key.quota_changed',
    target: keyId === null ? ['proj', projectId] : ['key', keyId],
    before: pick(before, changed),
    after: pick(after, changed),
  });
  return after;
}
