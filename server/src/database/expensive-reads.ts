import type pg from 'pg';
import type { ApiError } from '../platform/errors.ts';
import { KeyedQueue } from '../platform/keyed-queue.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { Pool, Queryable } from './database.ts';
import { isCanceled } from './sql-state.ts';

export interface ReadLimits {
  /** Time limit of a read, from its first statement to the last one's end. */
  maxRunMs: number;
  maxWaitMs: number;
}

/** Maximum concurrent reads in this process, as long as there are as many connections. */
const MAX_RUNNING = 4;
const MAX_RUNNING_PER_ORGANIZATION = 2;
const MAX_WAITING = 256;
/** Maximum share of the waiting places that one organization may hold. */
const MAX_SHARE = 1 / 16;
const LIMITS: ReadLimits = { maxRunMs: 5_000, maxWaitMs: 5_000 };
/** A retry at once helps if others were in the way; a read that takes too long needs other conditions. */
const RETRY_BUSY_SECONDS = 5;
const RETRY_SLOW_SECONDS = 30;

export interface ExpensiveRead {
  organizationId: string;
  /** Aborted when the client has disconnected. */
  signal: AbortSignal;
  /** Subject of the read for the sentence of a refusal, with the range that could be narrowed. */
  subject: string;
  /** Sentence that tells how to narrow the read, where it has no time range. */
  advice?: string;
  /** Time limit of this read, where it is shorter than that of others. */
  maxRunMs?: number;
}

/**
 * Runs reads that scan much. They have slots of their own, which organizations get in turn, connections of their own,
 * and an end: none exceeds its time limit, nor runs on after its client has gone. So they cost everything else a
 * bounded part of the database, however much a client requests.
 */
export class ExpensiveReads {
  readonly #pool: Pool;
  readonly #control: Pool;
  readonly #limits: ReadLimits;
  readonly #queue: KeyedQueue;

  /** @param control pool on which a statement is cancelled: connections that are never busy for long */
  constructor(pool: Pool, control: Pool, limits = LIMITS) {
    this.#pool = pool;
    this.#control = control;
    this.#limits = limits;
    this.#queue = new KeyedQueue({
      maxRunning: Math.min(MAX_RUNNING, pool.options.max),
      maxRunningPerKey: MAX_RUNNING_PER_ORGANIZATION,
      maxWaiting: MAX_WAITING,
      maxShare: MAX_SHARE,
      maxWaitMs: limits.maxWaitMs,
    });
  }

  /**
   * @param work gets a connection, and a signal of the read's end for what it asks elsewhere
   * @throws ApiError `unavailable` if no slot becomes free, the read takes too long, or the client has gone
   */
  run<T>(read: ExpensiveRead, work: (database: Queryable, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { organizationId: key, signal, subject } = read;
    return this.#queue.run({ key, signal, refuse: () => tooBusy(subject) }, () => this.#read(read, work));
  }

  async #read<T>(
    { signal, subject, advice, maxRunMs = this.#limits.maxRunMs }: ExpensiveRead,
    work: (database: Queryable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooSlow(subject, advice)), maxRunMs);
    const ended = AbortSignal.any([signal, late.signal]);
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => {
      cancelled = cancelStatement(this.#control, client);
    };
    ended.addEventListener('abort', cancel, { once: true });
    try {
      ended.throwIfAborted();
      return await work(untilAborted(client, ended), ended);
    } catch (error) {
      if (ended.aborted) throw ended.reason;
      throw isCanceled(error) ? tooSlow(subject, advice) : error;
    } finally {
      clearTimeout(timer);
      ended.removeEventListener('abort', cancel);
      await cancelled;
      client.off('error', onError);
      // The cancellation may arrive late: it must not meet the statement of another read.
      client.release(cancelled ? true : broken);
    }
  }
}

function tooBusy(subject: string): ApiError {
  return unavailable(
    `Your organization has too many searches running, and ${subject} waited too long. Try again in a few seconds.`,
    { retryAfterSeconds: RETRY_BUSY_SECONDS },
  );
}

function tooSlow(subject: string, advice = 'Choose a shorter time range, or add a filter.'): ApiError {
  return unavailable(`Searching ${subject} takes too long. ${advice}`, {
    retryAfterSeconds: RETRY_SLOW_SECONDS,
  });
}

/** Begins no further statement once the signal is aborted. */
function untilAborted(client: pg.PoolClient, signal: AbortSignal): Queryable {
  const query = (text: string, values?: unknown[]) => {
    signal.throwIfAborted();
    return client.query(text, values);
  };
  // The driver's type has forms for callbacks and streams, which no query function uses.
  return { query: query as Queryable['query'] };
}

async function cancelStatement(control: Pool, client: pg.PoolClient): Promise<void> {
  // The driver's types leave out the number of the backend.
  const { processID } = client as unknown as { processID: number };
  // If that fails, the statement's own time limit ends it.
  await control.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => {});
}
