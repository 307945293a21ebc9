import type { Clock } from '../platform/clock.ts';
import { ConnectionError } from './connection-error.ts';
import { type FoundPosition, findPosition } from './position-queries.ts';
import { sqlState } from './sql-state.ts';

/** The furthest place of the database that this process has seen; a restart may hand it to the next process. */
export interface SeenPosition
  extends Pick<FoundPosition, 'system' | 'timeline' | 'startedAt' | 'acceptedMs'> {
  /** Position of the newest commit that was answered, 0: none, and its time. */
  position: number;
  atMs: number;
}

/** A loss of acknowledged commits. */
export interface Rewind {
  /** When the last commit was answered that was seen before. */
  untilMs: number;
  /** Time up to which the database has data; null: unknown. */
  fromMs: number | null;
  /** When it was noticed. */
  noticedMs: number;
}

/** Interval of positions of transactions: reading one costs as much as a small transaction. */
const TRANSACTION_INTERVAL_MS = 1_000;
/** A frozen primary that wakes is met for about a second; one that stays is the database that there is. */
const STAYS_AFTER_MS = 2_000;

/** Refusal of a server; its message is public. */
export class EarlierTimelineError extends ConnectionError {
  override name = 'EarlierTimelineError';

  constructor() {
    super(new Error());
    this.message =
      'The database is on an earlier timeline than before: an old primary, or a restored one, which tocsin accept-database accepts.';
  }
}

/**
 * Knows when the database went back in time: a failover that lost commits, an old primary that took over again, a
 * restored snapshot. It remembers the position of the newest commit that was answered, which each commit of events and a
 * transaction a second tell in their own round trip, and compares it at each new connection with what that server has: no server is exchanged below a
 * connection. A position is that before the commit's own record, so what a standby confirmed is always beyond it.
 *
 * A server on an earlier timeline is refused: its connections fail until it is promoted, or a person accepts it.
 */
export class PositionWatch {
  readonly #clock: Clock;
  readonly #monotonicMs: () => number;
  readonly #onRewind: (rewind: Rewind) => void;
  #seen: SeenPosition | null;
  #isKnown = false;
  /** When a position was noted last. */
  #notedMs = Number.NEGATIVE_INFINITY;
  /** When a server on an earlier timeline was met first; null: the last one was none. */
  #earlierSinceMs: number | null = null;
  #isReported = false;

  constructor(options: {
    clock: Clock;
    onRewind: (rewind: Rewind) => void;
    seen?: SeenPosition | null;
    monotonicMs?: () => number;
  }) {
    this.#clock = options.clock;
    this.#onRewind = options.onRewind;
    this.#seen = options.seen ?? null;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  get seen(): Readonly<SeenPosition> | null {
    return this.#seen;
  }

  /** True if the server tells positions: those of some providers do not. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** True once a second: a transaction tells its position then, and each commit of events. */
  get isDue(): boolean {
    return this.#isKnown && this.#monotonicMs() - this.#notedMs >= TRANSACTION_INTERVAL_MS;
  }

  /** Notes the position before a commit that was answered. */
  noteCommit(position: number): void {
    this.#notedMs = this.#monotonicMs();
    if (!this.#seen || position <= this.#seen.position) return;
    this.#seen.position = position;
    this.#seen.atMs = this.#clock.now();
  }

  /**
   * Checks the server of a new connection.
   * @throws EarlierTimelineError if it is on an earlier timeline
   */
  async check(client: Parameters<typeof findPosition>[0]): Promise<void> {
    // A commit that is answered meanwhile may be beyond what the answer tells.
    const before = this.#seen;
    const position = before?.position ?? 0;
    let found: FoundPosition | null;
    try {
      found = await findPosition(client);
    } catch (error) {
      if (!sqlState(error)) throw error;
      // Not PostgreSQL’s own server, or one whose schema is not made yet.
      this.#isKnown = false;
      return;
    }
    if (found) this.#compare(found, this.#seen === before ? position : 0);
  }

  /**
   * Compares a server with the furthest place that was seen.
   * @param position newest one of an answered commit when the server was asked
   */
  #compare(found: FoundPosition, position: number): void {
    this.#isKnown = true;
    const seen = this.#seen;
    if (!seen || seen.system !== found.system || found.acceptedMs > seen.acceptedMs) {
      this.#take(found);
    } else if (found.timeline < seen.timeline) {
      this.#refuse(found, seen);
    } else {
      if (hasLost(found, { ...seen, position })) this.#report(found, seen);
      if (found.timeline > seen.timeline || found.startedAt !== seen.startedAt) this.#take(found);
      this.#earlierSinceMs = null;
    }
  }

  #take({ system, timeline, startedAt, acceptedMs }: FoundPosition): void {
    this.#seen = { system, timeline, startedAt, acceptedMs, position: 0, atMs: this.#clock.now() };
    this.#earlierSinceMs = null;
    this.#isReported = false;
  }

  #refuse(found: FoundPosition, seen: SeenPosition): never {
    const nowMs = this.#monotonicMs();
    this.#earlierSinceMs ??= nowMs;
    if (nowMs - this.#earlierSinceMs >= STAYS_AFTER_MS && !this.#isReported) {
      this.#isReported = true;
      this.#report(found, seen);
    }
    throw new EarlierTimelineError();
  }

  #report({ reachedMs }: FoundPosition, { atMs }: SeenPosition): void {
    const fromMs = reachedMs === null ? null : Math.min(reachedMs, atMs);
    this.#onRewind({ untilMs: atMs, fromMs, noticedMs: this.#clock.now() });
  }
}

/** True if the newest answered commit is not in what the server had when it became the primary, or was started. */
function hasLost(found: FoundPosition, seen: SeenPosition): boolean {
  const isOther = found.timeline > seen.timeline || found.startedAt !== seen.startedAt;
  const hadAtFirst = isOther ? (found.recoveredTo ?? found.position) : found.position;
  return seen.position > 0 && hadAtFirst <= seen.position;
}
