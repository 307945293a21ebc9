import { inTransaction, type Store } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Scope, Session } from '../session.ts';
import { MAX_TOKENS } from './limits.ts';
import { countTokens, insertToken, lockMember } from './queries.ts';
import type { TokenRow } from './schema.ts';
import { generateToken } from './token-format.ts';

/**
 * Creates a token of the session's user in the session's organization.
 * @param input `expiresInDays` null: it does not expire
 * @returns its row, and the token itself, which exists only here: the database stores its hash
 * @throws ApiError `limit_reached`
 */
export async function createToken(
  store: Store,
  session: Session,
  input: { name: string; scopes: Scope[]; expiresInDays: number | null },
): Promise<{ row: TokenRow; token: string }> {
  const { organizationId, user } = session;
  const { name, scopes, expiresInDays } = input;
  return inTransaction(store, async (transaction) => {
    if (!(await lockMember(transaction, organizationId, user.id)))
      throw new ApiError('unauthenticated', 'The user has just been moved to another organization.');
    if ((await countTokens(transaction, organizationId, user.id)) >= MAX_TOKENS)
      throw new ApiError('limit_reached', `A user can have up to ${MAX_TOKENS} tokens. Revoke one first.`);
    const now = transaction.now();
    const { token, prefix, hash } = generateToken();
    const row: TokenRow = {
      id: newUuid(now),
      name,
      prefix,
      scopes,
      createdAt: new Date(now),
      expiresAt: expiresInDays === null ? null : new Date(now + expiresInDays * DAY_MS),
      lastUsedAt: null,
    };
    await insertToken(transaction, { organizationId, userId: user.id }, { ...row, hash });
    await recordChange(transaction, session, {
      action: 'token.created',
      target: ['tok', row.id],
      before: null,
      after: { name, prefix, scopes, expiresAt: row.expiresAt && isoTime(row.expiresAt) },
    });
    return { row, token };
  });
}
