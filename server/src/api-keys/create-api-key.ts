import type { Transaction } from '../platform/database.ts';
import { newUuid } from '../platform/ids.ts';
import { generateApiKey } from './key-format.ts';
import { insertApiKey } from './queries.ts';
import type { ApiKeyRow } from './schema.ts';

/** Makes a key within a transaction. The raw key exists only in what this returns. */
export async function createApiKey(
  transaction: Transaction,
  input: { projectId: string; name: string },
): Promise<{ row: ApiKeyRow; rawKey: string }> {
  const now = transaction.now();
  const { rawKey, prefix, hash } = generateApiKey();
  const row = { id: newUuid(now), ...input, prefix, createdAt: new Date(now), lastUsedAt: null };
  await insertApiKey(transaction, { ...row, hash });
  return { row, rawKey };
}
