import type { DetectorEvent } from '@tocsin/detector';
import { inSavepoint, type Pool, type Transaction } from '../../database/database.ts';
import { isConnectionLost, isUnavailable } from '../../database/sql-state.ts';
import type { Log } from '../../platform/log.ts';
import { logBackgroundFailure } from '../../platform/outage-log.ts';
import type { DetectorStore } from '../live/detector-store.ts';
import { stepOf } from '../live/find-passed-time.ts';
import type { Progress } from '../live/journal-queries.ts';
import { addRebuildAttempts, deleteRebuild, findNextRebuild, type Rebuild } from '../live/rebuild-queries.ts';
import type { RoundInput } from '../live/take-round.ts';
import type { Rebuilds } from '../live/watch.ts';
import { readRebuildTask } from './read-task.ts';
import { runRebuild } from './run-rebuild.ts';
import { type ReadyProject, takeOver } from './take-over.ts';

/** Cost of each attempt, half a minute together. The first is usually done within 20 s. */
const ATTEMPTS = [
  { steps: 10_000_000, rows: 5_000_000, maxRunMs: 20_000 },
  { steps: 1_500_000, rows: 750_000, maxRunMs: 7_000 },
  { steps: 250_000, rows: 125_000, maxRunMs: 3_000 },
];
/** Detectors that wait for the end of a step: a state is up to some megabytes. */
const MAX_READY = 8;

/**
 * Rebuilds the detectors of queued projects, one after the other, those with the newest events first: reads their counts,
 * goes through them in a thread, and waits for the end of a step to put them in their place. What is not done when the process
 * ends is begun again.
 */
export class Rebuilder implements Rebuilds {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #run: typeof runRebuild;
  #ready: ReadyProject[] = [];
  /** False: the queue was found empty, or enough are ready. */
  #isDue = true;
  #work: { controller: AbortController; ended: Promise<void> } | null = null;

  /** @param run replays the counts; by default in a thread of its own */
  constructor({ pool, log }: { pool: Pool; log: Log }, run = runRebuild) {
    this.#pool = pool;
    this.#log = log;
    this.#run = run;
  }

  start(): Promise<void> {
    if (this.#work === null && this.#isDue) {
      this.#isDue = false;
      const controller = new AbortController();
      const ended = this.#goThrough(controller.signal).finally(() => (this.#work = null));
      this.#work = { controller, ended };
    }
    return this.#work?.ended ?? Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#work?.controller.abort(new Error('Another process rebuilds the detectors from now on.'));
    await this.#work?.ended;
    const ids = this.#ready.splice(0).map(({ projectId }) => projectId);
    this.#isDue = true;
    if (ids.length === 0) return;
    try {
      await addRebuildAttempts(this.#pool, ids, -1);
    } catch (error) {
      this.#log.warn({ err: error }, 'rebuilt detectors were given up: each has lost an attempt');
    }
  }

  async takeOver(
    transaction: Transaction,
    store: DetectorStore,
    progress: Progress,
    taken: RoundInput,
  ): Promise<Map<string, DetectorEvent[]>> {
    const events = new Map<string, DetectorEvent[]>();
    if (stepOf(taken.passed) === stepOf(progress)) return events;
    this.#isDue = true;
    for (const ready of this.#ready.splice(0)) {
      const { projectId } = ready;
      const wasInMemory = store.detectors.has(projectId);
      try {
        const moment = { store, progress, taken, log: this.#log };
        const own = await inSavepoint(transaction, () => takeOver(transaction, ready, moment));
        if (own.length > 0) events.set(projectId, own);
      } catch (error) {
        // The round fails. The attempt stays counted, so that not each round of all projects does.
        if (isUnavailable(error)) throw error;
        // Its saved state is as before.
        if (!wasInMemory) store.release(projectId);
        await deleteRebuild(transaction, projectId);
        this.#log.error(
          { err: error, projectId },
          'a rebuilt detector could not take over: the new one goes on',
        );
      }
    }
    return events;
  }

  async #goThrough(signal: AbortSignal): Promise<void> {
    try {
      while (this.#ready.length < MAX_READY) {
        const ids = this.#ready.map(({ projectId }) => projectId);
        const next = await findNextRebuild(this.#pool, ids);
        if (!next) return;
        const ready = await this.#rebuild(next, signal);
        if (ready) this.#ready.push(ready);
        signal.throwIfAborted();
      }
    } catch (error) {
      if (!signal.aborted) logBackgroundFailure(this.#log, 'rebuilding detectors', error);
    }
  }

  /**
   * Counts the attempt until the detector has taken over, so that neither a crash nor a round that fails is repeated
   * for ever.
   * @returns without a detector if nothing was counted, or no attempt succeeds; null if it is not queued any more
   */
  async #rebuild(next: Rebuild, signal: AbortSignal): Promise<ReadyProject | null> {
    const { projectId } = next;
    if (next.attempts >= ATTEMPTS.length) {
      if (await deleteRebuild(this.#pool, projectId))
        this.#log.warn({ projectId }, 'the rebuild of a detector failed too often: the new one goes on');
      return null;
    }
    let fault: unknown;
    for (const { maxRunMs, ...cost } of ATTEMPTS.slice(next.attempts)) {
      if (!(await addRebuildAttempts(this.#pool, [projectId], 1))) return null;
      try {
        const task = await readRebuildTask(this.#pool, next, { cost, signal });
        if (!task) this.#log.info({ projectId }, 'a project has no stored counts: its new detector goes on');
        return { ...next, rebuilt: task && (await this.#run(task, signal, maxRunMs)) };
      } catch (error) {
        fault = error;
        if (!signal.aborted && !isConnectionLost(error)) continue;
        await addRebuildAttempts(this.#pool, [projectId], -1);
        throw error;
      }
    }
    this.#log.warn(
      { err: fault, projectId },
      'the counts of a project could not be replayed: its new detector goes on',
    );
    return { ...next, rebuilt: null };
  }
}
