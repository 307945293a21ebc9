import type { Queryable, Transaction } from '../../database/database.ts';
import { networkKey } from '../../http/client-address.ts';
import { ApiError } from '../../platform/errors.ts';
import { latestHold } from '../../platform/stored-times.ts';
import type { CodeCheck } from '../second-factor/use-code.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import {
  CODES_PREFIX,
  countLoginFailures,
  deleteLoginFailures,
  insertLoginFailures,
  type LoginFailures,
  lockLoginFailures,
} from './login-failure-queries.ts';

const WINDOW_MS = 5 * 60_000;
/** Maximum failures for an account from one address, from a known device, or in a session. */
const MAX_FAILURES = 10;
const MAX_FAILURES_PER_ADDRESS = 300;
/** Maximum failures from the addresses of an IPv6 network that one customer may have. */
const MAX_FAILURES_PER_NETWORK = 4 * MAX_FAILURES_PER_ADDRESS;
/** How long failures are kept. */
export const ACCOUNT_WINDOW_MS = 60 * 60_000;
/** Number of failures for an account, from anywhere, after which each next guess must wait longer. */
const MAX_FREE_FAILURES = 100;
const FAILURES_PER_DOUBLING = 10;
const MAX_DELAY_MS = 5 * 60_000;
/** How long wrong codes are kept. They follow the right password, so they are few unless another person knows it. */
export const CODE_WINDOW_MS = 24 * 60 * 60_000;
const MAX_FREE_CODES = 20;
const FIRST_CODE_DELAY_MS = 60_000;
const MAX_CODE_DELAY_MS = 60 * 60_000;

/** A password, and with it a one-time code, that is about to be checked. */
export interface Guess {
  /** Normalized e-mail address, of an account or not. */
  email: string;
  /** Client's address as `addressKey` returns it. */
  address: string;
  /**
   * Device (`device:…`) or session (`session:…`) in which the account's owner has logged in before. Its guesses have
   * a limit of their own, and those of others do not count against them. Null: neither is known.
   */
  trusted: string | null;
}

/**
 * Refuses a password that follows too many wrong ones: per account and address, per address, per network, and per account
 * over all addresses. Nothing locks an account for good, and guesses of others never lock out a known browser.
 * @throws ApiError `too_many_logins`
 */
export async function assertMayGuess(database: Queryable, nowMs: number, guess: Guess): Promise<void> {
  const subjects = subjectsOf(guess);
  const failures = await countLoginFailures(database, Object.values(subjects), {
    recently: new Date(nowMs - WINDOW_MS),
    ever: new Date(nowMs - ACCOUNT_WINDOW_MS),
    until: new Date(latestHold(nowMs, 0)),
  });
  const waitUntilMs = guess.trusted
    ? untilFewer(failures.get(guess.trusted), MAX_FAILURES)
    : Math.max(
        untilFewer(failures.get(subjects.pair), MAX_FAILURES),
        untilFewer(failures.get(subjects.address), MAX_FAILURES_PER_ADDRESS),
        untilFewer(failures.get(subjects.network ?? subjects.address), MAX_FAILURES_PER_NETWORK),
        untilNextOf(failures.get(subjects.account)),
      );
  if (waitUntilMs <= nowMs) return;
  throw tooManyGuesses(waitUntilMs - nowMs, 'Too many failed attempts. Try again in a few minutes.');
}

/**
 * Refuses a code, right or wrong, that follows too many wrong ones for the account, from anywhere: 20 in a day are
 * free, then each next one waits, from a minute to an hour. So an attacker who has the password guesses about 45
 * codes a day, three of 10^6 being right at a time: one in 20 succeeds within a year. Known browsers are not held,
 * and a new password ends it.
 * @throws ApiError `too_many_logins`
 */
async function assertMayGuessCode(transaction: Transaction, { email, trusted }: Guess): Promise<void> {
  if (trusted?.startsWith('device:')) return;
  const nowMs = transaction.now();
  const since = new Date(nowMs - CODE_WINDOW_MS);
  const subject = codesOf(email);
  const failures = await countLoginFailures(transaction, [subject], {
    recently: since,
    ever: since,
    until: new Date(latestHold(nowMs, 0)),
  });
  const { count, newest } = failures.get(subject) ?? { count: 0, newest: since };
  if (count < MAX_FREE_CODES) return;
  const delayMs = FIRST_CODE_DELAY_MS * 2 ** Math.min(count - MAX_FREE_CODES, 20);
  const waitMs = newest.getTime() + Math.min(delayMs, MAX_CODE_DELAY_MS) - nowMs;
  if (waitMs <= 0) return;
  const detail =
    'Too many wrong codes for this account. Log in from a browser that you have used before, or try again later. If it wasn’t you, change your password.';
  throw tooManyGuesses(waitMs, detail);
}

function tooManyGuesses(waitMs: number, detail: string): ApiError {
  return new ApiError(ACCOUNT_ERRORS.too_many_logins, detail, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

/** `undecided`: the password was right, and a second factor that is needed was not checked. */
type GuessOutcome = 'right' | 'wrong' | 'right_code' | 'wrong_code' | 'undecided';

/** Classifies a guess whose password was right. */
export function outcomeOf({ result }: CodeCheck): GuessOutcome {
  if (result === 'none') return 'right';
  if (result === 'right' || result === 'wrong') return `${result}_code`;
  return 'undecided';
}

/**
 * Counts a wrong password or code, or deletes the earlier failures after right ones. An undecided guess does neither,
 * so a known password does not allow endless guesses of codes. Concurrent guesses are counted one after the other:
 * none beyond a limit learns if it was right.
 * @throws ApiError `too_many_logins`
 */
export async function recordGuess(
  transaction: Transaction,
  guess: Guess,
  outcome: GuessOutcome,
): Promise<void> {
  const { account, pair, address, network } = subjectsOf(guess);
  await lockLoginFailures(transaction, account);
  const nowMs = transaction.now();
  await assertMayGuess(transaction, nowMs, guess);
  if (outcome === 'right_code' || outcome === 'wrong_code') await assertMayGuessCode(transaction, guess);
  const own = [account, pair, ...(guess.trusted ? [guess.trusted] : [])];
  if (outcome === 'right' || outcome === 'right_code') return deleteLoginFailures(transaction, own);
  if (outcome === 'undecided') return;
  // A right code does not delete those: the owner's own logins would give an attacker further ones.
  const codes = outcome === 'wrong_code' ? [codesOf(guess.email)] : [];
  await insertLoginFailures(
    transaction,
    [...own, address, ...(network ? [network] : []), ...codes],
    new Date(nowMs),
  );
}

function codesOf(email: string): string {
  return `${CODES_PREFIX}${email}`;
}

/** Deletes the failures from an address after a new password by a recovery link, so that the user can log in. */
export function forgiveGuesses(
  transaction: Transaction,
  owner: Pick<Guess, 'email' | 'address'>,
): Promise<void> {
  const { account, pair } = subjectsOf({ ...owner, trusted: null });
  return deleteLoginFailures(transaction, [account, pair]);
}

function subjectsOf({ email, address, trusted }: Guess) {
  const network = networkKey(address);
  return {
    account: `account:${email}`,
    // The address first: it contains no space, whereas the typed e-mail address may contain anything.
    pair: `pair:${address} ${email}`,
    address: `address:${address}`,
    ...(network !== address && { network: `network:${network}` }),
    ...(trusted && { trusted }),
  };
}

/** When the oldest failure leaves the window, if there are too many; else 0. */
function untilFewer(failures: LoginFailures | undefined, maximum: number): number {
  if (!failures?.oldestRecent || failures.recent < maximum) return 0;
  return failures.oldestRecent.getTime() + WINDOW_MS;
}

/** When the next guess at an account with many failures is allowed: 1 s after the last one, doubled per 10 failures. */
function untilNextOf(failures: LoginFailures | undefined): number {
  if (!failures || failures.count < MAX_FREE_FAILURES) return 0;
  const doublings = Math.floor((failures.count - MAX_FREE_FAILURES) / FAILURES_PER_DOUBLING);
  return failures.newest.getTime() + Math.min(1_000 * 2 ** Math.min(doublings, 20), MAX_DELAY_MS);
}
