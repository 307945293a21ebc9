import { statfs } from 'node:fs/promises';
import { systemCode } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { BALLAST_BYTES, hasBallast, makeBallast, removeBallast } from './ballast.ts';

const MIB = 1024 * 1024;
/** Below this no events are accepted: PostgreSQL ends when its write-ahead log cannot grow. */
export const LOW_BYTES = 256 * MIB;
/** From here on they are accepted again; the gap keeps the state from changing with each file. */
export const ENOUGH_BYTES = 384 * MIB;
/** Below this queued events stay in the queue, too: storing them takes more room than it frees. */
export const SCARCE_BYTES = 128 * MIB;
/** Below this the space is measured each second instead of each five. */
const WATCHFUL_BYTES = 1024 * MIB;

export interface FreeSpaceOptions {
  dataDirectory: string;
  log: Log;
  /** Returns the bytes that are free for programs without privileges. */
  measure?: (directory: string) => Promise<number>;
  /** False if another process keeps the reserve. */
  keepsReserve?: boolean;
}

/**
 * Watches the free space of the data directory, and keeps a reserve there: a file that is removed when PostgreSQL
 * needs room to recover, and made again once there is enough.
 */
export class FreeSpace {
  readonly #directory: string;
  readonly #log: Log;
  readonly #measure: (directory: string) => Promise<number>;
  readonly #keepsReserve: boolean;
  #freeBytes: number | null = null;
  #isLow = false;

  constructor({ dataDirectory, log, measure = measureFreeBytes, keepsReserve = true }: FreeSpaceOptions) {
    this.#directory = dataDirectory;
    this.#log = log;
    this.#measure = measure;
    this.#keepsReserve = keepsReserve;
  }

  /** Null before the first measurement, and if the file system does not tell. */
  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  get isLow(): boolean {
    return this.#isLow;
  }

  get isScarce(): boolean {
    return this.#isLow && this.#freeBytes !== null && this.#freeBytes < SCARCE_BYTES;
  }

  /** @returns true if the next measurement should come soon */
  async measure(): Promise<boolean> {
    const freeBytes = await this.#measure(this.#directory);
    this.#freeBytes = freeBytes;
    if (!this.#isLow && freeBytes < LOW_BYTES) {
      this.#isLow = true;
      this.#log.error({ freeBytes }, 'the disk of the data directory is nearly full: no events are accepted');
    } else if (this.#isLow && freeBytes >= ENOUGH_BYTES) {
      this.#isLow = false;
      this.#log.warn({ freeBytes }, 'the disk of the data directory has room again: events are taken in');
    }
    if (this.#keepsReserve && freeBytes >= ENOUGH_BYTES + BALLAST_BYTES) await this.#keepReserve();
    return freeBytes < WATCHFUL_BYTES;
  }

  /** Frees the reserve for PostgreSQL before it starts, if there is little room. */
  async makeRoom(): Promise<void> {
    try {
      await this.measure();
    } catch (error) {
      // The first start creates the directory.
      if (systemCode(error) !== 'ENOENT')
        this.#log.warn({ err: error }, 'the free space of the data directory is not known');
    }
    if (this.#isLow) await removeBallast(this.#directory);
  }

  async #keepReserve(): Promise<void> {
    if (!(await hasBallast(this.#directory))) await makeBallast(this.#directory);
  }
}

/** Bytes that are free for programs without privileges. */
export async function measureFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
