import { inTransaction, type Store } from '../../database/database.ts';
import { isUniqueViolation } from '../../database/sql-state.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import { insertMember, insertOrganization } from '../organizations/queries.ts';
import { normalizeEmail } from './email.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import type { PasswordHasher } from './passwords.ts';
import { insertUser } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { type NewSession, openSession } from './sessions.ts';

/**
 * Creates a user, an organization named after the user, the OWNER membership and a session in one transaction.
 * @throws ApiError `email_taken`
 */
export async function signUp(
  { passwords, ...store }: Store & { passwords: PasswordHasher },
  input: { name: string; email: string; password: string; address: string; origin: SessionOrigin },
): Promise<NewSession> {
  const passwordHash = await passwords.hash(input.password, input.address);
  const now = store.clock.now();
  const createdAt = new Date(now);
  const name = input.name.trim();
  const user = { id: newUuid(now), name, email: normalizeEmail(input.email), passwordHash, createdAt };
  const organization = { id: newUuid(now), name, createdAt };
  try {
    return await inTransaction(store, async (transaction) => {
      await insertUser(transaction, user);
      await insertOrganization(transaction, organization);
      await insertMember(transaction, organization.id, { userId: user.id, role: 'OWNER', createdAt });
      const actor = { organizationId: organization.id, user };
      await recordChange(transaction, actor, {
        action: 'account.signed_up',
        target: ['usr', user.id],
        before: null,
        after: { name, email: user.email, organizationId: toId('org', organization.id) },
      });
      return openSession(transaction, user.id, input.origin);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) {
      throw new ApiError(ACCOUNT_ERRORS.email_taken, 'This email is already registered. Log in instead.');
    }
    throw error;
  }
}
