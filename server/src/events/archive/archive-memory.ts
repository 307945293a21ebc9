import { ArchiveError } from './archive-error.ts';
import { findOldestMs } from './archived-row-queries.ts';
import type { ArchiveParameters, ArchiveReadLimits, EventArchive } from './event-archive.ts';

/** Time for which reads are refused at once after one without an answer: each would wait for its own, in a slot that others need. */
const DOWN_MS = 10_000;
/** Time for which the oldest event is the same: those that are removed are not missed. */
const OLDEST_MS = 60_000;

/** An archive as reads ask it: the process remembers for the next ones what one of them has found out. */
export class RememberedArchive implements Pick<EventArchive, 'query'> {
  readonly #archive: Pick<EventArchive, 'query'>;
  readonly #now: () => number;
  #failure: { error: ArchiveError; atMs: number } | null = null;
  #oldest: { ms: number | null; moves: number; atMs: number } | null = null;

  /** @param now milliseconds since any moment */
  constructor(archive: Pick<EventArchive, 'query'>, now = () => performance.now()) {
    this.#archive = archive;
    this.#now = now;
  }

  async query<Row>(sql: string, parameters: ArchiveParameters, limits: ArchiveReadLimits): Promise<Row[]> {
    if (this.#failure && this.#now() - this.#failure.atMs < DOWN_MS) throw this.#failure.error;
    try {
      return await this.#archive.query<Row>(sql, parameters, limits);
    } catch (error) {
      if (error instanceof ArchiveError && error.isSilent) this.#failure = { error, atMs: this.#now() };
      throw error;
    }
  }

  /**
   * Time of the oldest event; null: there is none.
   * @param moves number of moves before this call: each may have brought an older one
   */
  async findOldestMs(moves: number, limits: ArchiveReadLimits): Promise<number | null> {
    const known = this.#oldest;
    if (known?.moves === moves && this.#now() - known.atMs < OLDEST_MS) return known.ms;
    const ms = await findOldestMs(this, limits);
    this.#oldest = { ms, moves, atMs: this.#now() };
    return ms;
  }
}
