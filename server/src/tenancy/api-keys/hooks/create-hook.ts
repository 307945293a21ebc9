import { inTransaction, type Store } from '../../../database/database.ts';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import { ApiError } from '../../../platform/errors.ts';
import { newUuid } from '../../../platform/ids.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockProjectForCount } from '../../projects/lock-queries.ts';
import { requireProject } from '../../projects/require-project.ts';
import type { Session } from '../../session.ts';
import { SHOWN_LENGTH } from '../key-format.ts';
import { insertApiKey } from '../queries.ts';
import { shownOf } from './change-hook.ts';
import { countHooks, insertHook } from './queries.ts';
import { HOOK_NAMES, type HookRow, type NewHook } from './schema.ts';
import { assertSecret, generateHookToken, generateSigningSecret, sealSecrets } from './secrets.ts';

/** Maximum hooks of a project. */
const MAX_HOOKS = 20;

export interface HookStore extends Store {
  encryption: Encryption;
}

/** The token exists only here: the database stores its hash. */
interface IssuedHook {
  row: HookRow;
  token: string;
  /** Secret that the service has made; null: the sender makes it, or it was given. */
  madeSecret: string | null;
}

/** @throws ApiError `not_found` (no such project), `limit_reached`, `validation_failed`, `encryption_key_missing` */
export async function createHook(
  { encryption, ...store }: HookStore,
  session: Session,
  projectPublicId: string,
  { kind, secret, name }: NewHook,
): Promise<IssuedHook> {
  if (secret !== undefined) assertSecret(kind, secret, '/secret');
  return inTransaction(store, async (transaction) => {
    const project = await requireProject(
      transaction,
      session.organizationId,
      projectPublicId,
      lockProjectForCount,
    );
    if ((await countHooks(transaction, project.id)) >= MAX_HOOKS) {
      throw new ApiError('limit_reached', `A project can have up to ${MAX_HOOKS} hooks. Delete one first.`);
    }
    const now = transaction.now();
    const id = newUuid(now);
    const { secret: token, hash } = generateHookToken();
    const madeSecret = kind === 'github' && secret === undefined ? generateSigningSecret() : null;
    const signing = secret ?? madeSecret;
    const row: HookRow = {
      id,
      projectId: project.id,
      kind,
      name: name?.trim() ?? HOOK_NAMES[kind],
      prefix: token.slice(0, SHOWN_LENGTH),
      ...sealSecrets(encryption, id, signing === null ? [] : [signing]),
      createdAt: new Date(now),
      madeByToken: session.token,
      lastUsedAt: null,
      lastRefusedAt: null,
      lastRefusal: null,
      restoredAt: null,
    };
    await insertApiKey(transaction, { ...row, hash, use: 'hook', browser: null });
    await insertHook(transaction, row);
    await recordChange(transaction, session, {
      action: 'hook.created',
      target: ['hook', id],
      before: null,
      after: shownOf(row),
    });
    return { row, token, madeSecret };
  });
}
