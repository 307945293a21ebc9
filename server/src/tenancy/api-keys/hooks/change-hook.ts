import { inTransaction, type Store, type Transaction } from '../../../database/database.ts';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import { ApiError } from '../../../platform/errors.ts';
import { toId, toUuid } from '../../../platform/ids.ts';
import { recordChange } from '../../audit/record-change.ts';
import { shareProject } from '../../projects/lock-queries.ts';
import { requireProject } from '../../projects/require-project.ts';
import type { Session } from '../../session.ts';
import { insertRevokedKey } from '../queries.ts';
import { deleteHook, lockHook, updateHook } from './queries.ts';
import type { HookPatch, HookRow } from './schema.ts';
import { assertSecret, sealSecrets } from './secrets.ts';

/** Public ids in the path of a hook. */
export interface HookPath {
  id: string;
  hookId: string;
}

/** @throws ApiError `not_found`, `validation_failed`, `encryption_key_missing` */
export async function changeHook(
  { encryption, ...store }: Store & { encryption: Encryption },
  session: Session,
  path: HookPath,
  patch: HookPatch,
): Promise<HookRow> {
  return inTransaction(store, async (transaction) => {
    const before = await requireHook(transaction, session, path);
    const secrets = readSecrets(before, patch);
    const after = {
      ...before,
      name: patch.name?.trim() ?? before.name,
      // A refusal by the former secrets says nothing about the new ones.
      ...(secrets && {
        ...sealSecrets(encryption, before.id, secrets),
        lastRefusedAt: null,
        lastRefusal: null,
      }),
    };
    await updateHook(transaction, after);
    await recordChange(transaction, session, {
      action: 'hook.changed',
      target: ['hook', before.id],
      before: shownOf(before),
      after: { ...shownOf(after), ...(secrets && { changedSecrets: true }) },
    });
    return after;
  });
}

/** @throws ApiError `not_found` */
export async function removeHook(store: Store, session: Session, path: HookPath): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const hook = await requireHook(transaction, session, path);
    await deleteHook(transaction, hook.id);
    await insertRevokedKey(transaction, hook, new Date(transaction.now()));
    await recordChange(transaction, session, {
      action: 'hook.deleted',
      target: ['hook', hook.id],
      before: shownOf(hook),
      after: null,
    });
  });
}

/** Part of a hook that the audit log shows: never a secret. */
export function shownOf({ kind, name, prefix, projectId, secretCount }: HookRow): object {
  return { kind, name, prefix, projectId: toId('proj', projectId), secretCount };
}

async function requireHook(transaction: Transaction, session: Session, path: HookPath): Promise<HookRow> {
  const project = await requireProject(transaction, session.organizationId, path.id, shareProject);
  const hookId = toUuid('hook', path.hookId);
  const hook = hookId && (await lockHook(transaction, project.id, hookId));
  if (!hook) throw new ApiError('not_found', 'Hook not found.');
  return hook;
}

/** Returns the valid secrets from now on; undefined: they stay. */
function readSecrets({ kind }: HookRow, { secret, secrets }: HookPatch): string[] | undefined {
  if (secret !== undefined && secrets !== undefined) {
    const message = 'excludes `secret`';
    throw new ApiError('validation_failed', `body/secrets ${message}.`, {
      fields: [{ pointer: '/secrets', message }],
    });
  }
  if (secret !== undefined) assertSecret(kind, secret, '/secret');
  for (const [index, each] of (secrets ?? []).entries()) assertSecret(kind, each, `/secrets/${index}`);
  return secret === undefined ? secrets : [secret];
}
