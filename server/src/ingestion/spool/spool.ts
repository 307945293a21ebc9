import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { createFolder, giveUpFolder, isMissing, segmentName, syncDirectory } from './folder.ts';
import { hasRoom, SPOOL_LIMITS, type SpoolLimits } from './limits.ts';
import { encodeRecord, type SpoolRecord } from './record.ts';
import { type RecordSize, Usage } from './usage.ts';

export interface SpoolOptions {
  directory: string;
  limits?: SpoolLimits;
  clock: Clock;
  /** Reads the free bytes of a file system. */
  readFreeBytes: (directory: string) => Promise<number>;
}

/** A segment that no longer grows. */
export interface ClosedSegment {
  path: string;
  usage: Usage;
}

interface OpenSegment extends ClosedSegment {
  handle: FileHandle;
  /** Identifies the file, whatever its name. */
  inode: number;
}

interface Pending extends RecordSize {
  line: string;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** Thrown if a record cannot be kept on disk: the request is then refused as without a spool. */
export class SpoolError extends Error {
  override name = 'SpoolError';
}

/**
 * Keeps on disk what was accepted while the database was down. Begin reading here; `drain.ts` empties it.
 *
 * Guarantee: `append` resolves only after an `fsync` of the record in a file that the next process finds. If it rejects,
 * the record may be drained nevertheless: its claim recognises the repeat. Records that wait for one `fsync` share it.
 */
export class Spool {
  readonly #directory: string;
  readonly #limits: SpoolLimits;
  readonly #clock: Clock;
  readonly #readFreeBytes: (directory: string) => Promise<number>;
  #folder: string | null = null;
  #segment: OpenSegment | null = null;
  #segments = 0;
  #closed: ClosedSegment[] = [];
  #pending: Pending[] = [];
  /** Sizes of the records that wait for their `fsync`. */
  readonly #pendingUsage = new Usage();
  #writing: Promise<void> | null = null;
  #appended = 0;

  constructor({ directory, limits = SPOOL_LIMITS, clock, readFreeBytes }: SpoolOptions) {
    this.#directory = directory;
    this.#clock = clock;
    this.#limits = limits;
    this.#readFreeBytes = readFreeBytes;
  }

  get directory(): string {
    return this.#directory;
  }

  /** Folder of this process; null: it has written nothing. */
  get folder(): string | null {
    return this.#folder;
  }

  /** Number of records that `append` has taken so far. */
  get appended(): number {
    return this.#appended;
  }

  /** Events and bytes that wait on disk. */
  get waiting(): { events: number; bytes: number } {
    const events = Object.values(this.countByProject()).reduce((sum, count) => sum + count, 0);
    return { events, bytes: this.#listUsages().reduce((sum, usage) => sum + usage.bytes, 0) };
  }

  /** Returns the number of events that wait on disk, by project. */
  countByProject(): Record<string, number> {
    const sums = new Map<string, number>();
    for (const usage of this.#listUsages())
      for (const [projectId, count] of usage.events())
        sums.set(projectId, (sums.get(projectId) ?? 0) + count);
    return Object.fromEntries(sums);
  }

  /**
   * Makes a record durable.
   * @throws SpoolError if the spool, the project's share of it or the disk is full, or does not write
   */
  append(record: SpoolRecord): Promise<void> {
    const line = encodeRecord(record);
    const size = sizeOf(record, Buffer.byteLength(line));
    if (!hasRoom(this.#limits, this.#listUsages(), this.#pendingUsage, size))
      return Promise.reject(new SpoolError('The spool is full.'));
    this.#appended++;
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...size, line, resolve, reject });
      this.#pendingUsage.add(size);
      this.#writing ??= this.#write();
    });
  }

  /** Adds segments of an adopted folder to those that wait. */
  adopt(segments: ClosedSegment[]): void {
    this.#closed = [...segments, ...this.#closed];
  }

  /** Oldest segment that waits; it is closed if it still grew. Null: nothing waits. */
  async oldest(): Promise<ClosedSegment | null> {
    if (this.#closed.length === 0) {
      await this.#writing;
      await this.#closeSegment();
    }
    return this.#closed[0] ?? null;
  }

  /** Forgets a segment that was removed from disk. */
  forget(segment: ClosedSegment): void {
    const index = this.#closed.indexOf(segment);
    if (index >= 0) this.#closed.splice(index, 1);
  }

  /** Ends writing, and leaves what waits to the next process. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#closeSegment();
    if (this.#folder) await giveUpFolder(this.#folder);
    this.#folder = null;
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#takeBatch();
      try {
        // A folder that another process adopted meanwhile is replaced once: the second one is new.
        if (!(await this.#writeBatch(batch)) && !(await this.#writeBatch(batch)))
          throw new SpoolError('The spool’s folder was adopted by another process twice.');
        for (const { resolve } of batch) resolve();
      } catch (cause) {
        // After a failed write or sync the end of the file is unknown: nothing more is written to it.
        await this.#abandonSegment();
        const error =
          cause instanceof SpoolError ? cause : new SpoolError('The spool could not be written.', { cause });
        for (const { reject } of batch) reject(error);
      }
      for (const pending of batch) this.#pendingUsage.remove(pending);
    }
    this.#writing = null;
  }

  /** Takes records that fill a segment, one at least: what is drained at a time stays small. */
  #takeBatch(): Pending[] {
    let bytes = 0;
    const end = this.#pending.findIndex((pending) => (bytes += pending.bytes) >= this.#limits.segmentBytes);
    return this.#pending.splice(0, end < 0 ? this.#pending.length : end + 1);
  }

  /** @returns false if the folder is no longer that of this process */
  async #writeBatch(batch: Pending[]): Promise<boolean> {
    if ((await this.#readFreeBytes(await this.#ownFolder())) < this.#limits.minFreeBytes)
      throw new SpoolError('The disk is nearly full.');
    const segment = await this.#openSegment();
    await segment.handle.appendFile(batch.map(({ line }) => line).join(''));
    await segment.handle.datasync();
    if (!(await isAtPath(segment))) {
      await segment.handle.close();
      this.#segment = null;
      this.#folder = null;
      return false;
    }
    for (const pending of batch) segment.usage.add(pending);
    if (segment.usage.bytes >= this.#limits.segmentBytes) await this.#closeSegment();
    return true;
  }

  #listUsages(): Usage[] {
    const usages = this.#closed.map(({ usage }) => usage);
    return this.#segment ? [...usages, this.#segment.usage] : usages;
  }

  async #ownFolder(): Promise<string> {
    this.#folder ??= await createFolder(this.#directory, this.#clock.now());
    return this.#folder;
  }

  async #openSegment(): Promise<OpenSegment> {
    if (this.#segment) return this.#segment;
    const folder = await this.#ownFolder();
    const path = join(folder, segmentName(++this.#segments));
    const handle = await open(path, 'ax', 0o600);
    await syncDirectory(folder);
    this.#segment = { path, handle, inode: (await handle.stat()).ino, usage: new Usage() };
    return this.#segment;
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = null;
    await segment.handle.close();
    const { path, usage } = segment;
    this.#closed.push({ path, usage });
  }

  async #abandonSegment(): Promise<void> {
    // It failed already: that it cannot be closed either changes nothing.
    await this.#closeSegment().catch(() => undefined);
  }
}

export function sizeOf({ item }: SpoolRecord, bytes: number): RecordSize {
  return { projectId: item.projectId, events: item.events.length, bytes };
}

async function isAtPath({ path, inode }: OpenSegment): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => (isMissing(error), null));
  return found?.ino === inode;
}
