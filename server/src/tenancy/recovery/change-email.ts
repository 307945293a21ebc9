import { inTransaction, type Queryable, type Store, type Transaction } from '../../database/database.ts';
import { isUniqueViolation } from '../../database/sql-state.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { confirmPassword, type PasswordDependencies, wrongPassword } from '../accounts/confirm-password.ts';
import { ACCOUNT_ERRORS } from '../accounts/errors.ts';
import { lockPassword, lockUser, updateEmail } from '../accounts/queries.ts';
import { recordChange } from '../audit/record-change.ts';
import { normalizeEmail } from '../email.ts';
import { findMembership } from '../organizations/queries.ts';
import { hashSecret, isWellFormedSecret } from '../secret-format.ts';
import type { Session } from '../session.ts';
import type { EmailChangeMail } from './email-change-mail.ts';
import { RECOVERY_ERRORS } from './errors.ts';
import { issueEmailLink } from './issue-link.ts';
import {
  deleteRecoveryLinksOf,
  type EmailLink,
  findValidEmailLink,
  updateRecipientConfirmed,
} from './queries.ts';
import { invalidLink } from './set-password.ts';

/**
 * Mails a link to a new address of the session's user. Neither the answer nor its duration reveals if another account
 * has the address: that is looked up afterwards.
 * @throws ApiError `no_account_mail`, `validation_failed`, `too_many_logins`, `too_many_email_changes`
 */
export async function requestEmailChange(
  { mail, ...dependencies }: PasswordDependencies & { mail: EmailChangeMail | null },
  session: Session,
  input: { email: string; password: string; address: string },
): Promise<void> {
  const { user, organizationId } = session;
  if (!mail) {
    throw new ApiError(
      RECOVERY_ERRORS.no_account_mail,
      'This service sends no mail. The person who runs it can change your address: tocsin change-email.',
    );
  }
  const email = normalizeEmail(input.email);
  if (email === user.email) {
    throw new ApiError('validation_failed', 'This is your address already.', {
      fields: [{ pointer: '/email', message: 'is your address already' }],
    });
  }
  const { password, address } = input;
  const checkedHash = await confirmPassword(dependencies, session, {
    password,
    pointer: '/password',
    address,
  });
  const retryAfterSeconds = mail.take(organizationId, email);
  if (retryAfterSeconds > 0) {
    throw new ApiError(
      RECOVERY_ERRORS.too_many_email_changes,
      'Too many confirmations were mailed within the hour. Try again later.',
      { retryAfterSeconds },
    );
  }
  const { token } = await inTransaction(dependencies, async (transaction) => {
    // The password may have been changed meanwhile, which ends such links.
    if (!(await lockPassword(transaction, user.id, checkedHash, 'update'))) throw wrongPassword('/password');
    return issueEmailLink(transaction, { userId: user.id, email });
  });
  mail.ask(email, token);
}

/**
 * Gives the user of a link the new address. Sessions and access tokens go on.
 * @returns the new address and the former one
 * @throws ApiError `invalid_recovery_link`, `email_taken`
 */
export async function confirmEmailChange(
  store: Store,
  token: string,
): Promise<{ email: string; former: string }> {
  return inTransaction(store, async (transaction) => {
    const { userId } = await requireEmailLink(transaction, token, confirmedTime(transaction));
    await lockUser(transaction, userId);
    // It may have been used or replaced during the wait for the lock.
    const { email } = await requireEmailLink(transaction, token, confirmedTime(transaction));
    const former = await setEmail(transaction, userId, {
      email,
      verifiedAt: new Date(transaction.now()),
      confirmedBy: 'link',
    });
    return { email, former };
  });
}

/**
 * Sets the address of a user, ends all mailed links of the former one, and records it. Mail targets go on with the
 * address that they name.
 * @param change `verifiedAt` null: nothing shows that the address is the user's
 * @returns the former address
 * @throws ApiError `email_taken`
 */
export async function setEmail(
  transaction: Transaction,
  userId: string,
  change: { email: string; verifiedAt: Date | null; confirmedBy: 'link' | 'operator' },
): Promise<string> {
  const { email, confirmedBy } = change;
  const user = await lockUser(transaction, userId);
  const membership = await findMembership(transaction, userId);
  if (!user) throw invalidLink();
  await updateRecipientConfirmed(transaction, userId, new Date(transaction.now()));
  try {
    await updateEmail(transaction, userId, change);
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_key')) throw error;
    throw new ApiError(ACCOUNT_ERRORS.email_taken, 'Another account has this address.');
  }
  for (const origin of ['user', 'mail'] as const) await deleteRecoveryLinksOf(transaction, userId, origin);
  if (membership) {
    await recordChange(
      transaction,
      { organizationId: membership.organizationId, user },
      {
        action: 'account.email_changed',
        target: ['usr', userId],
        before: { email: user.email },
        after: { email, confirmedBy },
      },
    );
  }
  return user.email;
}

async function requireEmailLink(database: Queryable, token: string, nowMs: number): Promise<EmailLink> {
  const link = isWellFormedSecret('tsn_eml_', token)
    ? await findValidEmailLink(database, hashSecret(token), new Date(nowMs))
    : null;
  if (!link) throw invalidLink();
  return link;
}
