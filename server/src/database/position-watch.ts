import type { Clock } from '../platform/clock.ts';
import { ConnectionError } from './connection-error.ts';
import { type FoundPosition, findPosition } from './position-queries.ts';
import { isNotOffered } from './sql-state.ts';

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
/** Minimum interval of the question, whose answer is none in a transaction that only reads. */
const QUESTION_INTERVAL_MS = 100;
/** A frozen primary that wakes is met for about a second; one that stays is the database that there is. */
const STAYS_AFTER_MS = 2_000;

const REFUSALS = {
  earlier:
    'The database is on an earlier timeline than before: an old primary, or a restored one, which tocsin accept-database accepts.',
  standby: 'The database is a standby: it takes no writes until it is promoted.',
};

/** Refusal of a server; its message is public. */
export class RefusedServerError extends ConnectionError {
  override name = 'RefusedServerError';

  constructor(refusal: keyof typeof REFUSALS) {
    super(new Error());
    this.message = REFUSALS[refusal];
  }
}

/**
 * Knows when the database went back in time: a failover that lost commits, an old primary that took over again, a
 * restored snapshot. It remembers the position of the newest commit that was answered, which each commit of events and a
 * transaction a second tell in their own round trip, and compares it at each new connection with what that server has: a
 * connection stays with its server. A position is that before the commit's own record, so what a standby confirmed is
 * always beyond it.
 *
 * A server on an earlier timeline is refused: its connections fail until it is promoted, or a person accepts it. Only
 * then are commits gone. A standby is refused until it is promoted.
 */
export class PositionWatch {
  readonly #clock: Clock;
  readonly #monotonicMs: () => number;
  readonly #onRewind: (rewind: Rewind) => void;
  readonly #onTaken: (rewind: Rewind) => void;
  #seen: SeenPosition | null;
  /** Place that the server of a connection was compared with, or taken as. */
  readonly #places = new WeakMap<object, SeenPosition>();
  /** True until a server is met that is not refused: another process has seen the place. */
  #isInherited: boolean;
  #isKnown = false;
  /** When a position was noted last, and when a transaction was asked for one. */
  #notedMs = Number.NEGATIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** When a server on an earlier timeline was met first; null: the last one was none. */
  #earlierSinceMs: number | null = null;
  /** Loss of the refused server, once it is reported. */
  #refused: Rewind | null = null;

  /** Calls `onRewind` once a loss is found, and `onTaken` once the server that has it is the database. */
  constructor(options: {
    clock: Clock;
    onRewind: (rewind: Rewind) => void;
    onTaken: (rewind: Rewind) => void;
    seen?: SeenPosition | null;
    monotonicMs?: () => number;
  }) {
    this.#clock = options.clock;
    this.#onRewind = options.onRewind;
    this.#onTaken = options.onTaken;
    this.#seen = options.seen ?? null;
    this.#isInherited = this.#seen !== null;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  get seen(): Readonly<SeenPosition> | null {
    return this.#seen;
  }

  /** True if the server tells positions: those of some providers do not. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** True a second after the last position: a transaction is asked for its own then, at most ten in a second. */
  get isDue(): boolean {
    const nowMs = this.#monotonicMs();
    return (
      this.#isKnown &&
      nowMs - this.#notedMs >= TRANSACTION_INTERVAL_MS &&
      nowMs - this.#askedMs >= QUESTION_INTERVAL_MS
    );
  }

  /** Notes that a transaction is asked for its position. */
  noteQuestion(): void {
    this.#askedMs = this.#monotonicMs();
  }

  /**
   * Notes the position before a commit that was answered, unless its connection is one to the server before: positions of
   * that one mean nothing any more.
   */
  noteCommit(position: number, client: object): void {
    if (!this.#seen || this.#places.get(client) !== this.#seen) return;
    this.#notedMs = this.#monotonicMs();
    if (position <= this.#seen.position) return;
    this.#seen.position = position;
    this.#seen.atMs = this.#clock.now();
  }

  /**
   * Checks the server of a new connection.
   * @throws RefusedServerError if it is on an earlier timeline, or a standby
   */
  async check(client: Parameters<typeof findPosition>[0]): Promise<void> {
    // A commit that is answered meanwhile may be beyond what the answer tells.
    const before = this.#seen;
    const position = before?.position ?? 0;
    let found: FoundPosition | null;
    try {
      found = await findPosition(client);
    } catch (error) {
      if (!isNotOffered(error)) throw error;
      // Not PostgreSQL’s own server, or one whose schema is not made yet.
      this.#isKnown = false;
      return;
    }
    // Kept, it would still be there once the standby is promoted, and none would have compared that primary.
    if (!found) throw new RefusedServerError('standby');
    this.#places.set(client, this.#compare(found, this.#seen === before ? position : 0));
  }

  /**
   * Compares a server with the furthest place that was seen.
   * @param position newest one of an answered commit when the server was asked
   * @returns its place
   * @throws RefusedServerError
   */
  #compare(found: FoundPosition, position: number): SeenPosition {
    this.#isKnown = true;
    const seen = this.#seen;
    if (!seen || seen.system !== found.system) return this.#take(found);
    const hasLost = lacks(found, { ...seen, position });
    if (found.acceptedMs > seen.acceptedMs) return this.#accept(found, seen, hasLost);
    if (found.timeline < seen.timeline) this.#refuse(found, seen);
    // A server that was refused may be promoted: its loss is reported.
    const rewind = hasLost ? (this.#refused ?? this.#report(found, seen)) : null;
    const place = this.#takeIf(hasLost, found, seen);
    this.#forgetRefused();
    if (rewind) this.#onTaken(rewind);
    return place;
  }

  /** Only what a refused server lacks is gone by its acceptance. */
  #accept(found: FoundPosition, seen: SeenPosition, hasLost: boolean): SeenPosition {
    const refused = found.timeline < seen.timeline ? this.#refused : null;
    // Its connections keep their place.
    seen.acceptedMs = found.acceptedMs;
    const place = this.#takeIf(hasLost, found, seen);
    this.#forgetRefused();
    if (refused) this.#onTaken(refused);
    return place;
  }

  /** A server that lost something is taken also if it was not started again: a machine is set back as it ran. */
  #takeIf(hasLost: boolean, found: FoundPosition, seen: SeenPosition): SeenPosition {
    return hasLost || isOther(found, seen) ? this.#take(found) : seen;
  }

  #take({ system, timeline, startedAt, acceptedMs }: FoundPosition): SeenPosition {
    this.#seen = { system, timeline, startedAt, acceptedMs, position: 0, atMs: this.#clock.now() };
    this.#forgetRefused();
    return this.#seen;
  }

  #forgetRefused(): void {
    this.#earlierSinceMs = null;
    this.#refused = null;
    this.#isInherited = false;
  }

  /** A process that starts on such a server ends by it, so it does not wait until the server stays. */
  #refuse(found: FoundPosition, seen: SeenPosition): never {
    const nowMs = this.#monotonicMs();
    this.#earlierSinceMs ??= nowMs;
    const stays = this.#isInherited || nowMs - this.#earlierSinceMs >= STAYS_AFTER_MS;
    if (stays) this.#refused ??= this.#report(found, seen);
    throw new RefusedServerError('earlier');
  }

  #report(found: FoundPosition, seen: SeenPosition): Rewind {
    const reachedMs = timeReached(found, seen);
    const fromMs = reachedMs === null ? null : Math.min(reachedMs, seen.atMs);
    const rewind = { untilMs: seen.atMs, fromMs, noticedMs: this.#clock.now() };
    this.#onRewind(rewind);
    return rewind;
  }
}

/**
 * Time up to which a server has what was committed elsewhere; null: unknown. A server that was promoted meanwhile may
 * have heartbeats of its own already. For any other one the newest time is right: it may have replayed months ago.
 */
function timeReached({ timeline, replayedMs, toldMs }: FoundPosition, seen: SeenPosition): number | null {
  if (replayedMs === null || toldMs === null) return replayedMs ?? toldMs;
  return timeline > seen.timeline ? replayedMs : Math.max(replayedMs, toldMs);
}

function isOther(found: FoundPosition, seen: SeenPosition): boolean {
  return found.timeline !== seen.timeline || found.startedAt !== seen.startedAt;
}

/** True if the newest answered commit is not in what the server had when it became the primary, or was started. */
function lacks(found: FoundPosition, seen: SeenPosition): boolean {
  const hadAtFirst = isOther(found, seen) ? (found.recoveredTo ?? found.position) : found.position;
  return seen.position > 0 && hadAtFirst <= seen.position;
}
