import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { networkKey } from '../../http/client-address.ts';
import type { ApiError } from '../../platform/errors.ts';
import type { WaitingLine } from '../../platform/keyed-lines.ts';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import { unavailable } from '../../platform/unavailable.ts';

/** Cost of one argon2id hash. */
export interface PasswordCost {
  /** Memory in KiB. */
  memoryCost: number;
  /** Number of passes over the memory. */
  timeCost: number;
  /** Number of lanes. */
  parallelism: number;
}

/** argon2id with 19 MiB, two passes, one lane: OWASP's password storage cheat sheet, first choice. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Maximum concurrent hashes. They run on libuv's pool, which has four threads by default: files and compression need
 * one of them.
 */
const MAX_RUNNING = 3;
const MAX_WAITING = 64;
const MAX_WAIT_MS = 10_000;
/** Places for guesses in a browser or session of the account: however many addresses guess, its owner gets in. */
const RESERVED_WAITING = MAX_WAITING / 4;
/** Prefix of the keys of known browsers and sessions. */
const KNOWN = 'known ';

/** Origin of a password; part of a `Guess`. */
export interface PasswordSource {
  /** Client's address as `addressKey` returns it. */
  address: string;
  /** Device or session of the account; null: neither is known. */
  trusted: string | null;
}

/**
 * Hashes and checks passwords. A hash takes tens of milliseconds of a whole core and 19 MiB, and any client can cause
 * one: so one core stays free for other work, and networks have turns. If all waiting places are taken, the network
 * with the most of them loses its newest: alone, it may have all.
 */
export class PasswordHasher {
  readonly #cost: PasswordCost;
  readonly #queue: KeyedQueue;
  #decoyHash: Promise<string> | null = null;

  constructor(cost: PasswordCost, cores: number = availableParallelism()) {
    this.#cost = cost;
    this.#queue = new KeyedQueue({
      maxRunning: Math.min(Math.max(cores - 1, 1), MAX_RUNNING),
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      evict: findEvicted,
    });
  }

  hash(password: string, source: PasswordSource): Promise<string> {
    return this.#queue.run(taskOf(source), () => hash(password, this.#cost));
  }

  /**
   * Returns true if the password belongs to the hash. For an account that does not exist pass null: the check then
   * takes the same time and is false.
   */
  async verify(passwordHash: string | null, password: string, source: PasswordSource): Promise<boolean> {
    const matches = await this.#queue.run(taskOf(source), async () =>
      verify(passwordHash ?? (await this.#getDecoyHash()), password),
    );
    return matches && passwordHash !== null;
  }

  #getDecoyHash(): Promise<string> {
    this.#decoyHash ??= hash('the password of no account', this.#cost);
    return this.#decoyHash;
  }
}

/** Networks are served fairly, and so is each known browser or session. */
function taskOf({ address, trusted }: PasswordSource) {
  return { key: trusted === null ? networkKey(address) : `${KNOWN}${trusted}`, refuse };
}

function refuse(): ApiError {
  return unavailable('Too many passwords are being checked.', { retryAfterSeconds: 1 });
}

/** @returns the key with the most waiting places, if it and its kind have too many: among equals the newcomer's */
export function findEvicted(lines: readonly WaitingLine<unknown>[], newcomer: string): string | null {
  const unknown = lines.filter(({ key }) => !key.startsWith(KNOWN));
  if (!newcomer.startsWith(KNOWN) && countPlaces(unknown) > MAX_WAITING - RESERVED_WAITING)
    return findLongest(unknown, newcomer);
  return countPlaces(lines) > MAX_WAITING ? findLongest(lines, newcomer) : null;
}

function countPlaces(lines: readonly WaitingLine<unknown>[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

function findLongest(lines: readonly WaitingLine<unknown>[], newcomer: string): string {
  let longest = lines.find(({ key }) => key === newcomer);
  for (const line of lines) if (!longest || line.length > longest.length) longest = line;
  return longest?.key ?? newcomer;
}
