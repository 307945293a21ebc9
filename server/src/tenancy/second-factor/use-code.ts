import type { Transaction } from '../../database/database.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ENCRYPTION_ERRORS } from '../../platform/encryption/errors.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordChange } from '../audit/record-change.ts';
import { findMembership } from '../organizations/queries.ts';
import { countRecoveryCodes, deleteRecoveryCode, lockFactor, updateLastStep } from './queries.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { matchTotp } from './totp.ts';

/** `none`: the user has no active factor; `unreadable`: the service has no key for its secret. */
export type CodeCheck =
  | { result: 'none' | 'missing' | 'wrong' | 'right' }
  | { result: 'unreadable'; error: ApiError };

/** Purpose of a secret, so that one user's is not decrypted for another. */
export function secretPurpose(userId: string): string {
  return `totp_factors.secret:${userId}`;
}

/**
 * Uses up a one-time code or a recovery code of a user, in the transaction that depends on it. Of concurrent uses of
 * one code one is right.
 */
export async function useCode(
  transaction: Transaction,
  encryption: Encryption,
  { userId, code }: { userId: string; code: string | undefined },
): Promise<CodeCheck> {
  const factor = await lockFactor(transaction, userId);
  if (!factor?.activatedAt) return { result: 'none' };
  const typed = code?.trim() ?? '';
  if (typed === '') return { result: 'missing' };

  // Before anything is decrypted: a recovery code is valid without the key.
  const hash = hashRecoveryCode(typed);
  if (hash) return { result: (await useRecoveryCode(transaction, userId, hash)) ? 'right' : 'wrong' };

  const digits = typed.replaceAll(/\s/g, '');
  const purpose = secretPurpose(userId);
  let secret: string;
  try {
    secret = encryption.decrypt(factor.secret, purpose);
  } catch (error) {
    if (error instanceof ApiError && error.code in ENCRYPTION_ERRORS) return { result: 'unreadable', error };
    throw error;
  }
  const step = matchTotp(secret, digits, { nowMs: transaction.now(), afterStep: factor.lastStep });
  if (step === null) return { result: 'wrong' };
  const sealed = encryption.isCurrent(factor.secret) ? factor.secret : encryption.encrypt(secret, purpose);
  await updateLastStep(transaction, userId, { step, secret: sealed });
  return { result: 'right' };
}

async function useRecoveryCode(transaction: Transaction, userId: string, hash: Buffer): Promise<boolean> {
  if (!(await deleteRecoveryCode(transaction, userId, hash))) return false;
  const membership = await findMembership(transaction, userId);
  if (membership) {
    await recordChange(
      transaction,
      { organizationId: membership.organizationId, user: { id: userId } },
      {
        action: 'account.recovery_code_used',
        target: ['usr', userId],
        before: null,
        after: { codesLeft: await countRecoveryCodes(transaction, userId) },
      },
    );
  }
  return true;
}

/** Replaces the general sentence by one that says what the user can do. */
export function unreadableSecret(error: ApiError): ApiError {
  return new ApiError(
    error.kind,
    'One-time codes of this account cannot be checked: the service has no key for its secret. Use a recovery code, or ask the operator.',
    { cause: error },
  );
}
