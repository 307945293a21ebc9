import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import { lockProjectForCount } from '../projects/lock-queries.ts';
import { requireProject } from '../projects/require-project.ts';
import type { Session } from '../session.ts';
import { generateApiKey } from './key-format.ts';
import { countApiKeys, insertApiKey } from './queries.ts';
import type { ApiKeyRow, BrowserLimits, KeyUse } from './schema.ts';

/** Maximum keys of a project. */
const MAX_KEYS = 50;

/** The raw key exists only here: the database stores its hash. */
export interface IssuedKey {
  row: ApiKeyRow;
  rawKey: string;
}

/** @throws ApiError `not_found` (no such project), `limit_reached` */
export async function createApiKey(
  store: Store,
  session: Session,
  input: { projectId: string; name: string; use: KeyUse; browser: BrowserLimits | null },
): Promise<IssuedKey & { projectNumber: number }> {
  return inTransaction(store, async (transaction) => {
    const project = await requireProject(
      transaction,
      session.organizationId,
      input.projectId,
      lockProjectForCount,
    );
    if ((await countApiKeys(transaction, project.id)) >= MAX_KEYS) {
      throw new ApiError('limit_reached', `A project can have up to ${MAX_KEYS} keys. Revoke one first.`);
    }
    const issued = await issueApiKey(transaction, {
      projectId: project.id,
      name: input.name,
      use: input.use,
      browser: input.browser,
      madeByToken: session.token,
    });
    const { id, name, prefix, use, browser } = issued.row;
    await recordChange(transaction, session, {
      action: 'api_key.created',
      target: ['key', id],
      before: null,
      after: {
        name,
        prefix,
        projectId: toId('proj', project.id),
        ...(use === 'ping' && { use }),
        ...(browser && { browser }),
      },
    });
    return { ...issued, projectNumber: project.number };
  });
}

/** Creates a key in a transaction that audits it. */
export async function issueApiKey(
  transaction: Transaction,
  input: Pick<ApiKeyRow, 'projectId' | 'name' | 'madeByToken'> & {
    use?: KeyUse;
    browser?: BrowserLimits | null;
  },
): Promise<IssuedKey> {
  const now = transaction.now();
  const { rawKey, prefix, hash } = generateApiKey(input.use);
  const row = {
    id: newUuid(now),
    ...input,
    use: input.use ?? ('server' as const),
    browser: input.browser ?? null,
    prefix,
    createdAt: new Date(now),
    lastUsedAt: null,
    restoredAt: null,
  };
  await insertApiKey(transaction, { ...row, hash });
  return { row, rawKey };
}
