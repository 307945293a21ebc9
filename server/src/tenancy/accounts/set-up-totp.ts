import { inTransaction, type Transaction } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordChange } from '../audit/record-change.ts';
import { SECOND_FACTOR_ERRORS } from '../second-factor/errors.ts';
import {
  deleteFactor,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  lockFactor,
  updateFactorActive,
  upsertPendingFactor,
} from '../second-factor/queries.ts';
import { generateRecoveryCodes, hashRecoveryCode } from '../second-factor/recovery-codes.ts';
import { generateTotpSecret, matchTotp, totpUri } from '../second-factor/totp.ts';
import { secretPurpose } from '../second-factor/use-code.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import {
  changeWithCode,
  confirmPassword,
  guessInSession,
  type PasswordDependencies,
  wrongCode,
  wrongPassword,
} from './confirm-password.ts';
import { assertMayGuess, recordGuess } from './guess-limits.ts';
import { deleteOtherSessions, lockPassword, lockUser } from './queries.ts';

/** Maximum time between the secret and its first code. */
const SET_UP_MS = HOUR_MS;

export interface TotpDependencies extends PasswordDependencies {
  encryption: Encryption;
}

/**
 * Creates the secret of an authenticator app, in place of one whose set-up was not finished. Logins require its codes
 * once `activateTotp` has received one.
 * @throws ApiError `encryption_key_missing`, `totp_active`, and those of `confirmPassword`
 */
export async function enrolTotp(
  { encryption, ...dependencies }: TotpDependencies,
  session: Session,
  input: { password: string; address: string },
): Promise<{ secret: string; uri: string }> {
  const userId = session.user.id;
  const secret = generateTotpSecret();
  const sealed = encryption.encrypt(secret, secretPurpose(userId));
  const checkedHash = await confirmPassword(dependencies, session, { ...input, pointer: '/password' });
  await inTransaction(dependencies, async (transaction) => {
    if (!(await lockPassword(transaction, userId, checkedHash, 'update'))) throw wrongPassword('/password');
    const factor = await lockFactor(transaction, userId);
    if (factor?.activatedAt) throw totpActive();
    await upsertPendingFactor(transaction, {
      userId,
      secret: sealed,
      createdAt: new Date(transaction.now()),
    });
  });
  return { secret, uri: totpUri(secret, session.user.email) };
}

/**
 * Turns two-factor authentication on with the first code of the app, and ends all other sessions: one of them may be
 * the reason for it.
 * @returns the recovery codes, of which only hashes are stored
 * @throws ApiError `validation_failed` if the code is wrong, `too_many_logins`, `totp_active`, `totp_not_active`
 */
export async function activateTotp(
  { encryption, ...store }: TotpDependencies,
  session: Session,
  input: { code: string; address: string },
): Promise<string[]> {
  const userId = session.user.id;
  const guess = guessInSession(session, input.address);
  await assertMayGuess(store.pool, store.clock.now(), guess);
  const codes = await inTransaction(store, async (transaction) => {
    await lockUser(transaction, userId);
    const nowMs = transaction.now();
    const factor = await lockFactor(transaction, userId);
    if (factor?.activatedAt) throw totpActive();
    if (!factor || factor.createdAt.getTime() <= nowMs - SET_UP_MS) {
      throw new ApiError(SECOND_FACTOR_ERRORS.totp_not_active, 'The set-up has expired: start it again.');
    }
    const secret = encryption.decrypt(factor.secret, secretPurpose(userId));
    const code = input.code.replaceAll(/\s/g, '');
    const step = matchTotp(secret, code, { nowMs, afterStep: factor.lastStep });
    await recordGuess(transaction, guess, step === null ? 'wrong' : 'undecided');
    if (step === null) return null;
    await updateFactorActive(transaction, userId, { activatedAt: new Date(nowMs), step });
    await deleteOtherSessions(transaction, userId, session.id);
    await recordOwnChange(transaction, session, 'account.totp_activated');
    await notifySessionsChanged(transaction);
    return renewCodes(transaction, userId);
  });
  // Thrown here, so that the transaction keeps the count of failures.
  if (codes === null) throw wrongCode();
  return codes;
}

/** @throws ApiError as `changeWithCode` does */
export async function disableTotp(
  dependencies: TotpDependencies,
  session: Session,
  input: { password: string; code: string; address: string },
): Promise<void> {
  await changeWithCode(dependencies, session, input, async (transaction) => {
    await deleteFactor(transaction, session.user.id);
    await recordOwnChange(transaction, session, 'account.totp_disabled');
  });
}

/**
 * Replaces all recovery codes, used or not.
 * @throws ApiError as `changeWithCode` does
 */
export async function replaceCodes(
  dependencies: TotpDependencies,
  session: Session,
  input: { password: string; code: string; address: string },
): Promise<string[]> {
  return changeWithCode(dependencies, session, input, async (transaction) => {
    await recordOwnChange(transaction, session, 'account.recovery_codes_replaced');
    return renewCodes(transaction, session.user.id);
  });
}

async function renewCodes(transaction: Transaction, userId: string): Promise<string[]> {
  const codes = generateRecoveryCodes();
  const hashes = codes.map(hashRecoveryCode).filter((hash) => hash !== null);
  await deleteRecoveryCodes(transaction, userId);
  await insertRecoveryCodes(transaction, userId, hashes);
  return codes;
}

function recordOwnChange(transaction: Transaction, session: Session, action: string): Promise<void> {
  return recordChange(transaction, session, {
    action,
    target: ['usr', session.user.id],
    before: null,
    after: null,
  });
}

function totpActive(): ApiError {
  return new ApiError(
    SECOND_FACTOR_ERRORS.totp_active,
    'Two-factor authentication is on. To use another app, turn it off first.',
  );
}
