import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectionError } from '../../database/connection-error.ts';
import { assert } from '../../platform/assert.ts';
import { ApiError } from '../../platform/errors.ts';
import { MAX_SILENCE_MS } from '../../platform/timing/max-silence.ts';
import { Sweep } from '../../platform/timing/sweep.ts';
import { unavailable } from '../../platform/unavailable.ts';
import type { AppendResult, IntakeItem, IntakeQueue } from '../../queue/queue.ts';
import { resolveInTurns } from './answer-pace.ts';
import { INTAKE_LIMITS, type IntakeLimits } from './limits.ts';
import type { IntakeMetrics } from './metrics.ts';
import { type Connection, WaitingLines, type WaitingRequest } from './waiting-lines.ts';

export interface IntakeOptions {
  limits?: IntakeLimits;
  /** Returns a public sentence that says why no item may be accepted at this moment, for each item; null: it may. */
  findRefusal?: () => string | null;
  /** Milliseconds of running time. */
  monotonicMs?: () => number;
  /** Number of requests that may be answered in this turn of the event loop; by default all of a commit. */
  takeAnswers?: () => number;
  /** Called with the beginning of a commit that has had no answer for long, in milliseconds of running time. */
  onSilence?: (sinceMs: number) => void;
}

/** A disk that is full, or a database that restarts, takes a while. */
const REFUSAL_RETRY_SECONDS = 5;
/**
 * A request that has waited longer than this when a commit fails is refused with it: the next commits would fail as
 * slowly.
 */
const MAX_WAIT_MS = 8_000;
const NOT_WRITTEN = 'The event could not be written.';
/** Interval at which a request that waits for a place tries again, and the maximum bytes of all that do. */
const PLACE_POLL_MS = 50;
const MAX_PATIENT_BYTES = 32 * 1024 * 1024;

/**
 * Group commit: requests that arrive during a commit wait together and share the next one. There is no timer: a
 * commit begins after the first turn of the event loop that brought no new request. (Otherwise a crowd of senders
 * falls into step: one commit takes the first two or three of those whose requests lie ready to be read, and the next
 * one all others, which costs twice the commits.) A project that has nothing in a long commit does not wait for its
 * end: newcomers of such projects share a second commit beside it.
 *
 * Guarantee: `append` resolves only after the item's commit. Bounded in places and bytes; a project over its half is
 * refused with 429, and every project with 503 once all places are taken. Batches take projects in turn, so that a
 * project's wait does not grow with another's backlog; a bulk body is a batch of its own. A request that has waited for
 * 8.5 s is answered: the commit that it is in goes on, its outcome unknown. A request whose client left after it had
 * waited for two seconds is not committed, and gives up its place if places are short.
 */
export class Intake {
  readonly #queue: IntakeQueue;
  readonly #limits: IntakeLimits;
  readonly #metrics: IntakeMetrics;
  readonly #findRefusal: () => string | null;
  readonly #monotonicMs: () => number;
  readonly #takeAnswers: () => number;
  readonly #onSilence: (sinceMs: number) => void;
  readonly #lines: WaitingLines;
  /** Batches of the commits in progress, with their beginnings. */
  readonly #underWay = new Map<readonly WaitingRequest[], number>();
  readonly #overdue = new Sweep(() => this.#answerOverdue());
  /** True while requests are gathered and committed; the second flag: while a second commit runs beside. */
  #running = false;
  #runningBeside = false;
  /** Projects of the long commit in progress; null: there is none. */
  #inLongCommit: ReadonlySet<string> | null = null;
  /** Resolves when the last commit is answered. */
  #answered: Promise<void> = Promise.resolve();
  #closing = false;
  /** Bytes of the requests that wait for a place. */
  #patientBytes = 0;
  #onDrained: (() => void)[] = [];

  constructor(queue: IntakeQueue, metrics: IntakeMetrics, options: IntakeOptions = {}) {
    this.#queue = queue;
    this.#metrics = metrics;
    this.#limits = options.limits ?? INTAKE_LIMITS;
    this.#lines = new WaitingLines(this.#limits);
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    this.#findRefusal = options.findRefusal ?? (() => null);
    this.#takeAnswers = options.takeAnswers ?? (() => this.#limits.maxBatchItems);
    this.#onSilence = options.onSilence ?? (() => {});
  }

  /**
   * Makes an item durable.
   * @param connection checked when its turn comes: the item may be left out if it is destroyed
   * @param patienceMs time for which it waits for a place where all are taken
   * @throws ApiError `project_over_share` or `unavailable`, with a time to try again
   */
  append(item: IntakeItem, connection: Connection, patienceMs = 0): Promise<AppendResult> {
    const bytes = item.events.reduce((sum, event) => sum + event.length, 0);
    const sinceMs = this.#monotonicMs();
    const closure = this.#findClosure();
    const refusal = closure ?? this.#lines.findRefusal(item.projectId, bytes, sinceMs);
    if (refusal) {
      const mayWait = !closure && patienceMs > 0 && this.#patientBytes + bytes <= MAX_PATIENT_BYTES;
      if (!mayWait || connection.destroyed) return Promise.reject(refusal);
      return this.#waitForPlace(bytes).then(() =>
        this.append(item, connection, patienceMs - (this.#monotonicMs() - sinceMs)),
      );
    }
    return new Promise((resolve, reject) => {
      this.#lines.add({ key: item.projectId, item, connection, bytes, sinceMs, resolve, reject });
      if (!this.#running) void this.#run();
      else if (!this.#runningBeside && this.#mayPass(item.projectId)) void this.#runBeside();
    });
  }

  /** Refuses new items and resolves when every accepted one is durable (or was refused by the queue). */
  async drain(): Promise<void> {
    this.#closing = true;
    if (this.#running || this.#runningBeside)
      await new Promise<void>((resolve) => this.#onDrained.push(resolve));
    await this.#answered;
  }

  async #waitForPlace(bytes: number): Promise<void> {
    this.#patientBytes += bytes;
    await delay(PLACE_POLL_MS);
    this.#patientBytes -= bytes;
  }

  get waiting(): number {
    return this.#lines.count;
  }

  /** Returns the reason for which no request of any kind is accepted at this moment. */
  #findClosure(): ApiError | null {
    if (this.#closing) return unavailable('The service is stopping.', { retryAfterSeconds: 1 });
    const reason = this.#findRefusal();
    if (reason === null) return null;
    return unavailable(reason, { retryAfterSeconds: REFUSAL_RETRY_SECONDS });
  }

  /** Runs one commit after the other for as long as requests wait. */
  async #run(): Promise<void> {
    this.#running = true;
    while (await this.#gather()) {
      await this.#withReset(async () => {
        const batch = this.#lines.takeBatch(this.#monotonicMs());
        this.#inLongCommit = this.#projectsIfLong(batch);
        const outcome = await this.#commit(batch).finally(() => (this.#inLongCommit = null));
        // One commit is answered at a time, so that answers never pile up.
        await this.#answered;
        this.#answered = this.#answer(batch, outcome);
      });
    }
    this.#running = false;
    this.#resolveIfDrained();
  }

  #mayPass(projectId: string): boolean {
    return this.#inLongCommit !== null && !this.#inLongCommit.has(projectId);
  }

  /**
   * Commits items of projects that have nothing in the long commit in progress, until it ends or none of them waits.
   */
  async #runBeside(): Promise<void> {
    this.#runningBeside = true;
    await this.#withReset(async () => {
      while (this.#inLongCommit) {
        const batch = this.#lines.takeBatch(this.#monotonicMs(), this.#inLongCommit);
        if (batch.length === 0) break;
        await this.#answer(batch, await this.#commit(batch));
      }
    });
    this.#runningBeside = false;
    this.#resolveIfDrained();
  }

  /** A bug must not end the commits: waiting requests are answered with 500, and later ones are served. */
  async #withReset(commit: () => Promise<void>): Promise<void> {
    try {
      await commit();
    } catch (error) {
      this.#lines.reset(error instanceof Error ? error : new Error('The intake failed.', { cause: error }));
    }
  }

  #resolveIfDrained(): void {
    if (this.#running || this.#runningBeside) return;
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }

  #projectsIfLong(batch: WaitingRequest[]): ReadonlySet<string> | null {
    const events = batch.reduce((sum, { item }) => sum + item.events.length, 0);
    if (events < this.#limits.enoughItems) return null;
    return new Set(batch.map(({ item }) => item.projectId));
  }

  async #answer(batch: WaitingRequest[], outcome: AppendResult[] | ApiError): Promise<void> {
    if (Array.isArray(outcome)) return resolveInTurns(batch, outcome, this.#takeAnswers);
    for (const { reject } of batch) reject(outcome);
    this.#refuseOverdue(outcome);
  }

  /** Waits while each turn of the event loop brings a request. @returns true if any request waits */
  async #gather(): Promise<boolean> {
    let seen = -1;
    while (this.waiting !== seen && this.waiting < this.#limits.enoughItems) {
      seen = this.waiting;
      await nextTurn();
    }
    return this.waiting > 0;
  }

  #refuseOverdue(failure: ApiError): void {
    const waitingSinceMs = this.#monotonicMs() - MAX_WAIT_MS;
    this.#lines.refuseWhere(({ sinceMs }) => sinceMs < waitingSinceMs, failure);
  }

  async #commit(batch: WaitingRequest[]): Promise<AppendResult[] | ApiError> {
    if (batch.length === 0) return [];
    this.#underWay.set(batch, this.#monotonicMs());
    this.#overdue.start();
    try {
      const results = await this.#queue.append(batch.map(({ item }) => item));
      // The results cannot be assigned to items: none of the batch is acknowledged.
      assert(results.length === batch.length, 'The queue returned another number of results than items.');
      this.#metrics.intakeBatchEvents.observe(batch.reduce((sum, { item }) => sum + item.events.length, 0));
      return results;
    } catch (cause) {
      return unavailable(NOT_WRITTEN, { retryAfterSeconds: 1, cause });
    } finally {
      this.#underWay.delete(batch);
    }
  }

  /**
   * Answers requests that wait too long, in a commit or for one: PostgreSQL ends no commit that waits for a standby. The time
   * counts from the arrival, also where the commit that a request is in began later and ends soon: from its beginning on,
   * such a request could wait twice as long.
   * @returns true while a commit is in progress
   */
  #answerOverdue(): boolean {
    const overdueMs = this.#monotonicMs() - MAX_SILENCE_MS;
    const isOverdue = ({ sinceMs }: WaitingRequest) => sinceMs <= overdueMs;
    const cause = new ConnectionError(new Error('The commit has had no answer in time.'));
    const failure = unavailable(NOT_WRITTEN, { retryAfterSeconds: 1, cause });
    for (const [batch, begunMs] of this.#underWay) {
      if (begunMs <= overdueMs) this.#onSilence(begunMs);
      for (const { reject } of batch.filter(isOverdue)) reject(failure);
    }
    if (this.#underWay.size > 0) this.#lines.refuseWhere(isOverdue, failure);
    return this.#underWay.size > 0;
  }
}
