import type { Queryable, Transaction } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { NOTIFICATION_ERRORS } from '../errors.ts';
import type { ConfirmationMail } from './confirmation-mail.ts';
import { deleteUnusedRecipients, findRecipient, insertRecipient } from './queries.ts';
import type { MailedTarget, RecipientRow } from './recipient.ts';

export interface AskingDependencies {
  pool: Queryable;
  /** Null if the service sends no mail with links. */
  confirmationMail: ConfirmationMail | null;
}

/**
 * Stores the address of a target that was created or changed, in its transaction, and deletes addresses without a
 * target.
 */
export async function noteRecipient(
  transaction: Transaction,
  { organizationId, recipient }: MailedTarget,
): Promise<void> {
  if (recipient === null) return;
  const nowMs = transaction.now();
  await deleteUnusedRecipients(transaction, organizationId, new Date(nowMs - DAY_MS));
  await insertRecipient(transaction, organizationId, { address: recipient, now: new Date(nowMs) });
}

/**
 * Asks the address of a target by mail, if it was never asked. If the limit on such mails is reached, an OWNER can
 * send it later.
 * @returns its state; null: the target has no such address
 */
export async function askOnce(
  { pool, confirmationMail }: AskingDependencies,
  { organizationId, recipient }: MailedTarget,
): Promise<RecipientRow | null> {
  if (recipient === null) return null;
  const found = await findRecipient(pool, organizationId, recipient);
  if (!found || !confirmationMail || !isWaiting(found) || found.askedAt !== null) return found;
  await confirmationMail.ask(organizationId, recipient);
  return findRecipient(pool, organizationId, recipient);
}

/** @throws ApiError `nothing_to_confirm`, `no_confirmation_mail`, `too_many_confirmations` */
export async function askAgain(
  { pool, confirmationMail }: AskingDependencies,
  { organizationId, recipient }: MailedTarget,
): Promise<RecipientRow | null> {
  const found = recipient && (await findRecipient(pool, organizationId, recipient));
  if (recipient === null || (found && (found.hasConfirmed || found.isMember)))
    throw new ApiError(
      NOTIFICATION_ERRORS.nothing_to_confirm,
      'No address of this target waits for a confirmation.',
    );
  if (!confirmationMail) {
    throw new ApiError(
      NOTIFICATION_ERRORS.no_confirmation_mail,
      'The service sends no mail with links: its operator must set SMTP_URL and PUBLIC_URL.',
    );
  }
  const retryAfterSeconds = await confirmationMail.ask(organizationId, recipient);
  if (retryAfterSeconds === 0) return findRecipient(pool, organizationId, recipient);
  throw new ApiError(
    NOTIFICATION_ERRORS.too_many_confirmations,
    'An address is asked up to 3 times a day, and an organization asks up to 20 times an hour. Try again later.',
    { retryAfterSeconds },
  );
}

export function isWaiting({ isConfirmed, isMember }: RecipientRow): boolean {
  return !isConfirmed && !isMember;
}
