import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
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
      maxWaitMs: MAX_WAIT_MS,
      refusal: 'Too many passwords are being checked.',
    });
  }

  /** @param address where the request comes from */
  hash(password: string, address: string): Promise<string> {
    return this.#queue.run(address, () => hash(password, this.#cost));
  }

  /**
   * Whether the password belongs to the hash. For an account that does not exist pass null: the check then
   * takes the same time and is false.
   * @param address where the request comes from
   */
  async verify(passwordHash: string | null, password: string, address: string): Promise<boolean> {
    const matches = await this.#queue.run(address, async () =>
      verify(passwordHash ?? (await this.#getDecoyHash()), password),
    );
    return matches && passwordHash !== null;
  }

  #getDecoyHash(): Promise<string> {
    this.#decoyHash ??= hash('the password of no account', this.#cost);
    return this.#decoyHash;
  }
}
