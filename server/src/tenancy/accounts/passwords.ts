import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { networkKey } from '../../http/client-address.ts';
import { FairQueue } from '../../platform/fair-queue.ts';

/** Cost of one argon2id hash. */
export interface PasswordCost {
  /** KiB. */
  memoryCost: number;
  /** Passes over the memory. */
  timeCost: number;
  /** Lanes. */
  parallelism: number;
}

/** argon2id with 19 MiB, two passes, one lane: OWASP's password storage cheat sheet, first choice. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes run on libuv's pool, which has four threads by default: files and compression need one of them. */
const MAX_RUNNING = 3;
const MAX_IN_ORDER_PER_ADDRESS = 4;
const MAX_WAITING = 64;
const MAX_WAIT_MS = 10_000;
/** For guesses in a browser or session of the account: however many addresses guess, its owner gets in. */
const RESERVED_WAITING = MAX_WAITING / 4;

/** Where a password comes from; of a `Guess`. */
export interface PasswordSource {
  /** The client's address as `addressKey` returns it. */
  address: string;
  /** A device or session of the account; null: neither is known. */
  trusted: string | null;
}

/**
 * Hashes and checks passwords. A hash takes tens of milliseconds of a whole core and 19 MiB, and any client can cause
 * one: so one core stays free for other work, and addresses wait in a fair queue.
 */
export class PasswordHasher {
  readonly #cost: PasswordCost;
  readonly #queue: FairQueue;
  #decoyHash: Promise<string> | null = null;

  constructor(cost: PasswordCost, cores: number = availableParallelism()) {
    this.#cost = cost;
    this.#queue = new FairQueue({
      maxRunning: Math.min(Math.max(cores - 1, 1), MAX_RUNNING),
      maxInOrder: MAX_IN_ORDER_PER_ADDRESS,
      maxWaiting: MAX_WAITING,
      reservedWaiting: RESERVED_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      refusal: 'Too many passwords are being checked.',
    });
  }

  hash(password: string, source: PasswordSource): Promise<string> {
    return this.#queue.run(clientOf(source), () => hash(password, this.#cost));
  }

  /**
   * Whether the password belongs to the hash. For an account that does not exist pass null: the check then
   * takes the same time and is false.
   */
  async verify(passwordHash: string | null, password: string, source: PasswordSource): Promise<boolean> {
    const matches = await this.#queue.run(clientOf(source), async () =>
      verify(passwordHash ?? (await this.#getDecoyHash()), password),
    );
    return matches && passwordHash !== null;
  }

  #getDecoyHash(): Promise<string> {
    this.#decoyHash ??= hash('the password of no account', this.#cost);
    return this.#decoyHash;
  }
}

/** Networks are served fairly, and so is each browser or session that is known. */
function clientOf({ address, trusted }: PasswordSource): { name: string; isKnown: boolean } {
  return { name: trusted ?? networkKey(address), isKnown: trusted !== null };
}
