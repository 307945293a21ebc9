import { ApiError } from '../../platform/errors.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { INTAKE_ERRORS } from './errors.ts';
import { type Connection, clientLeft, hasLeft, LEAVING_MS } from './waiting-lines.ts';

export interface RequestTurnLimits {
  /** Requests at work: parsed, validated, and waiting for their commit. */
  atWork: number;
  /** A project with fewer at work than this begins at once, also beyond `atWork`. */
  alwaysAtWork: number;
  /** Waiting places, and bytes of bodies that wait; one project may hold at most half of each. */
  maxWaiting: number;
  maxWaitingBytes: number;
  /** A request that has waited longer is refused when its turn comes: its client is about to give up. */
  maxWaitMs: number;
}

const REQUEST_TURN_LIMITS: RequestTurnLimits = {
  // Several commits' worth. In turn with 256, 128 gave another project beside 512 connections a p50 of 10 ms in place of 12 and
  // the same rate, 512 one of 27 in place of 15. With fewer, commits are smaller and cost more an event.
  atWork: 256,
  alwaysAtWork: 8,
  maxWaiting: 16_384,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxWaitMs: 5_000,
};

const RETRY_AFTER_SECONDS = 1;

/** A request that takes its turn. It is its own record while it waits: what a crowd holds survives garbage collections. */
export interface TurnRequest {
  readonly projectId: string;
  readonly connection: Connection;
  /** Of its body, which is held while it waits. */
  readonly bytes: number;
  /** Since when it waits: what `hold` was given. */
  readonly sinceMs: number;
  /** It has to wait. */
  hold: (nowMs: number) => void;
  /** Works on it to its end. */
  work: () => Promise<void>;
  /** Ends it where it has no turn, or where its work failed; never throws. */
  refuse: (error: unknown) => void;
}

/** The requests of one project. */
interface Line {
  atWork: number;
  waiting: TurnRequest[];
  /** Where the first one stands that still waits: shifting a long array costs its length. */
  first: number;
  bytes: number;
}

/**
 * Lets a bounded number of requests be worked on, projects in turn. The others wait with bodies that are not parsed. A client
 * sends its next request on a connection after the answer to the last one, so however many connections send, a turn of the
 * event loop reads about as many requests as were just answered, and an answer is never far behind the commit.
 *
 * Guarantee: a project with few requests at work neither waits nor is refused because of another one. Bounded in places and
 * bytes: a project that holds half of them is refused with 429, past all of them every project with 503.
 */
export class RequestTurns {
  readonly #limits: RequestTurnLimits;
  readonly #monotonicMs: () => number;
  readonly #lines = new Map<string, Line>();
  /** Projects with waiting requests; the order of the set is the order of turns. */
  readonly #turns = new Set<string>();
  #atWork = 0;
  #waiting = 0;
  #waitingBytes = 0;

  constructor(monotonicMs: () => number, limits: RequestTurnLimits = REQUEST_TURN_LIMITS) {
    this.#monotonicMs = monotonicMs;
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Works on a request when its turn comes, or refuses it with `project_over_share` or `unavailable`, and a time to try again. */
  take(request: TurnRequest): void {
    const line = this.#lineOf(request.projectId);
    if (this.#atWork < this.#limits.atWork || line.atWork < this.#limits.alwaysAtWork)
      return this.#begin(line, request);
    const refusal = this.#refusalWhereFull(line, request.bytes);
    if (refusal) return request.refuse(refusal);
    this.#wait(line, request);
  }

  #begin(line: Line, request: TurnRequest): void {
    line.atWork++;
    this.#atWork++;
    void this.#workOn(line, request);
  }

  async #workOn(line: Line, request: TurnRequest): Promise<void> {
    try {
      await request.work();
    } catch (error) {
      request.refuse(error);
    }
    this.#leave(request.projectId, line);
  }

  #wait(line: Line, request: TurnRequest): void {
    request.hold(this.#monotonicMs());
    line.waiting.push(request);
    line.bytes += request.bytes;
    this.#waiting++;
    this.#waitingBytes += request.bytes;
    this.#turns.add(request.projectId);
  }

  #refusalWhereFull(line: Line, bytes: number): ApiError | null {
    const { maxWaiting, maxWaitingBytes } = this.#limits;
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (this.#waiting >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes)
      return unavailable('Too many requests wait.', retry);
    if (line.waiting.length - line.first >= maxWaiting / 2 || line.bytes + bytes > maxWaitingBytes / 2)
      return new ApiError(
        INTAKE_ERRORS.project_over_share,
        'The project holds half of all waiting places.',
        retry,
      );
    return null;
  }

  #leave(projectId: string, line: Line): void {
    line.atWork--;
    this.#atWork--;
    if (line.atWork < this.#limits.alwaysAtWork) this.#beginNext(projectId, line);
    while (this.#atWork < this.#limits.atWork) {
      const [next] = this.#turns;
      if (next === undefined) break;
      this.#beginNext(next, this.#lineOf(next));
    }
    // A project that waits always has requests at work.
    if (line.atWork === 0) this.#lines.delete(projectId);
  }

  /** Begins the first request of a project that may still begin, and puts the project behind the others. */
  #beginNext(projectId: string, line: Line): void {
    this.#turns.delete(projectId);
    const nowMs = this.#monotonicMs();
    let next = this.#takeFirst(line);
    let refusal = next && this.#refusalOf(next, nowMs);
    while (next && refusal) {
      next.refuse(refusal);
      next = this.#takeFirst(line);
      refusal = next && this.#refusalOf(next, nowMs);
    }
    if (!next) return;
    if (line.first < line.waiting.length) this.#turns.add(projectId);
    this.#begin(line, next);
  }

  #refusalOf(waiting: TurnRequest, nowMs: number): ApiError | null {
    if (hasLeft(waiting, nowMs - LEAVING_MS)) return clientLeft();
    if (nowMs - waiting.sinceMs <= this.#limits.maxWaitMs) return null;
    return unavailable('Too many requests wait.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  #takeFirst(line: Line): TurnRequest | null {
    const next = line.waiting[line.first];
    if (!next) return null;
    line.first++;
    // Half of the array is behind: what is moved was paid for by as many requests.
    if (line.first * 2 >= line.waiting.length) {
      line.waiting = line.waiting.slice(line.first);
      line.first = 0;
    }
    line.bytes -= next.bytes;
    this.#waiting--;
    this.#waitingBytes -= next.bytes;
    return next;
  }

  #lineOf(projectId: string): Line {
    const known = this.#lines.get(projectId);
    if (known) return known;
    const line: Line = { atWork: 0, waiting: [], first: 0, bytes: 0 };
    this.#lines.set(projectId, line);
    return line;
  }
}
