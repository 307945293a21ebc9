import type { Transaction } from '../../database/database.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { newUuid } from '../../platform/ids.ts';
import { latestHold } from '../../platform/stored-times.ts';
import { lockUser } from '../accounts/queries.ts';
import { generateSecret, type SecretPrefix } from '../secret-format.ts';
import {
  countRecoveryLinks,
  deleteRecoveryLinksOf,
  insertRecoveryLink,
  type NewRecoveryLink,
} from './queries.ts';
import type { RecoveryOrigin } from './schema.ts';

export const RECOVERY_LIFETIME_MS = 30 * MINUTE_MS;
/** Maximum mails to an account in an hour. */
const MAX_MAILS_AN_HOUR = 3;

export interface IssuedLink {
  token: string;
  expiresAt: Date;
}

/**
 * Issues a link. One of an OWNER or of the operator replaces the earlier ones; a mail that another person requested
 * does not end the link of an earlier mail.
 * @returns null if the account has had too many mails
 */
export async function issueRecoveryLink(
  transaction: Transaction,
  { userId, origin, createdBy }: { userId: string; origin: RecoveryOrigin; createdBy: string | null },
): Promise<IssuedLink | null> {
  // Serializes the count.
  await lockUser(transaction, userId);
  const nowMs = transaction.now();
  if (origin === 'mail') {
    const within = { since: new Date(nowMs - HOUR_MS), until: new Date(latestHold(nowMs, 0)) };
    if ((await countRecoveryLinks(transaction, userId, origin, within)) >= MAX_MAILS_AN_HOUR) return null;
  } else {
    await deleteRecoveryLinksOf(transaction, userId, origin);
  }
  return insertLink(transaction, { userId, prefix: 'tsn_rec_', origin, createdBy, email: null });
}

/** Issues the link that confirms a new address. It replaces the one that the user asked for before. */
export async function issueEmailLink(
  transaction: Transaction,
  { userId, email }: { userId: string; email: string },
): Promise<IssuedLink> {
  await deleteRecoveryLinksOf(transaction, userId, 'user');
  return insertLink(transaction, { userId, prefix: 'tsn_eml_', origin: 'user', createdBy: null, email });
}

async function insertLink(
  transaction: Transaction,
  {
    prefix,
    ...link
  }: Pick<NewRecoveryLink, 'userId' | 'origin' | 'createdBy' | 'email'> & { prefix: SecretPrefix },
): Promise<IssuedLink> {
  const nowMs = transaction.now();
  const { secret: token, hash } = generateSecret(prefix);
  const [createdAt, expiresAt] = [new Date(nowMs), new Date(nowMs + RECOVERY_LIFETIME_MS)];
  await insertRecoveryLink(transaction, { ...link, id: newUuid(nowMs), hash, createdAt, expiresAt });
  return { token, expiresAt };
}
