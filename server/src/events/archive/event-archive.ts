import type { Readable } from 'node:stream';

/** Values that a statement of the archive is given, by the name of its parameter: `{name:Type}`. */
export type ArchiveParameters = Readonly<Record<string, unknown>>;

/** Bounds of a read. */
export interface ArchiveReadLimits {
  /** Time that the engine may take. */
  maxRunMs: number;
  /** Aborted when no client waits for the answer any more; default: never. */
  signal?: AbortSignal;
}

/** Rows of a week that are moved together. */
export interface BlockPlace {
  /** Number that no other block has. */
  number: number;
  /** Beginning of the week that has all of its events. */
  weekMs: number;
}

/** Rows of a block that the archive holds: how many, and the sum of their hashes. */
export interface HeldBlock {
  rows: number;
  hash: string;
}

/**
 * The archive of events: the interface for another store of weeks that are over. It throws an `ArchiveError` where it
 * does not answer, or not in time.
 */
export interface EventArchive {
  /** Rows of a `SELECT` without a format. Its table is `events`. */
  query<Row>(sql: string, parameters: ArchiveParameters, limits: ArchiveReadLimits): Promise<Row[]>;

  /** Brings the schema up to date. One process at a time may. @returns the names of the migrations applied now */
  migrate(): Promise<string[]>;

  /**
   * Inserts rows, each as `blockColumns` writes it with `COPY`: a stream of bytes. A repeated token is dropped without a word, with whatever rows:
   * the rows of a block must be the same at each attempt, and be compared afterwards.
   */
  insertBlock(block: BlockPlace & { token: string }, rows: Readable): Promise<void>;

  findBlock(block: BlockPlace): Promise<HeldBlock>;

  deleteBlock(block: BlockPlace): Promise<void>;

  /** Removes all events of a week. */
  dropWeek(weekMs: number): Promise<void>;

  /** Removes events of all weeks that a condition holds for, also from the disk. */
  deleteEvents(where: string, parameters: ArchiveParameters): Promise<void>;

  /** Beginnings of the weeks that have events, the oldest first. */
  listWeeks(): Promise<number[]>;

  close(): Promise<void>;
}
