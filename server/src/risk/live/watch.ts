import { type DetectorEvent, STEP_MS } from '@tocsin/detector';
import { inTransaction, type Pool, type Transaction } from '../../database/database.ts';
import type { IncidentMetrics } from '../../incidents/metrics.ts';
import { assert } from '../../platform/assert.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { IdLowerBound } from '../../queue/id-lower-bound.ts';
import { createRoundOutcome } from '../incidents/outcome.ts';
import { recountIncidents } from '../incidents/recount.ts';
import { DetectorStore, seriesBudget } from './detector-store.ts';
import { listExcludedIds, upsertExclusion } from './exclusion-queries.ts';
import { isFarFromStepEnd, isStepOver } from './find-passed-time.ts';
import { findOldestInboxId } from './inbox/queries.ts';
import { loadDetectors, saveDetectors } from './journal.ts';
import {
  findProgress,
  hasRounds,
  insertRound,
  lockProgress,
  type Progress,
  updateProgress,
} from './journal-queries.ts';
import { RiskLease } from './lease.ts';
import { makeRound } from './make-round.ts';
import type { Failure } from './offload.ts';
import { addPastDowntimes } from './passed-time.ts';
import { setIdleTimeout, setStatementTimeout } from './queries.ts';
import { deleteRebuild } from './rebuild-queries.ts';
import type { Round } from './round.ts';
import { SavingSchedule } from './saving-schedule.ts';
import { deleteState, findOldestTime } from './state-queries.ts';
import { type RoundInput, takeRound } from './take-round.ts';
import { writeRound } from './write-round.ts';

export interface RiskDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  metrics: IncidentMetrics;
  /** UUID that identifies this process in the lease. */
  holderId: string;
  rebuilds: Rebuilds;
  /** Maximum number of series in memory; by default what the heap has room for. */
  maxSeries?: number;
}

/** Rebuilds the detectors that another version saved from stored counts, beside the rounds. */
export interface Rebuilds {
  /** Goes on in the background. */
  start(): Promise<void>;
  /** Ends the work, and forgets what is not in the store. */
  stop(): Promise<void>;
  /**
   * Puts rebuilt detectors in the place of those that watched meanwhile: the end of a step, before the round that ends
   * it, which has only their later counts then.
   * @returns events since those began to watch, by project
   */
  takeOver(
    transaction: Transaction,
    store: DetectorStore,
    progress: Progress,
    taken: RoundInput,
  ): Promise<Map<string, DetectorEvent[]>>;
}

/**
 * Watches the counts of all projects. One process leads: it keeps detectors in memory within a budget and saves the
 * coldest to the database. A round is one transaction: counts leave the stream, and the round and its incidents are
 * written. A worker that takes over loads the saved state and applies the rounds since then, so no count is lost or
 * counted twice, and no incident opens twice, across any change of leader.
 */
export class RiskWatch {
  readonly #dependencies: RiskDependencies;
  /** Null: nothing is loaded, or the memory no longer matches the database. */
  #store: DetectorStore | null = null;
  #lastRound = 0;
  readonly #inboxFloor = new IdLowerBound();
  #inboxFromId = 0;
  readonly #saving = new SavingSchedule();
  readonly #lease: RiskLease;
  #settingsSince: Date | null = null;
  /** True if more offloaded projects are due. */
  #hasMoreVisits = false;
  #isBehind = false;
  #hasMadeRound = false;
  #hasUpdated = false;
  /** Id of the last incident that was counted again since a step ended; null: none. */
  #countedId: string | null = null;
  /** Progress after the last round of this process; null: unknown. */
  #progress: Progress | null = null;

  constructor(dependencies: RiskDependencies) {
    this.#dependencies = dependencies;
    this.#lease = new RiskLease(dependencies.holderId);
  }

  /** True if this process leads, as far as it knows. */
  get leads(): boolean {
    return this.#store !== null && this.#lease.isValid;
  }

  /** True if the last round covered only a part of the time: the next ones need not wait. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** True if the step of the last round lasts for some more seconds: until then only new counts are due. */
  get isFarFromStepEnd(): boolean {
    return this.#progress !== null && isFarFromStepEnd(this.#progress, this.#dependencies.clock.now());
  }

  /** True if the last call of `runOnce` made a round: something had come, or a step had ended. */
  get hasMadeRound(): boolean {
    return this.#hasMadeRound;
  }

  /** True if the last round added events to an open incident. */
  get hasUpdated(): boolean {
    return this.#hasUpdated;
  }

  /** Size of the detectors in memory, in series. */
  get seriesInMemory(): number {
    return this.#store?.series ?? 0;
  }

  /** Runs one round if one is due. @returns true if another one is due already */
  async runOnce(): Promise<boolean> {
    const { metrics } = this.#dependencies;
    this.#hasMadeRound = false;
    if (!(await this.#isDue())) return false;
    try {
      const { opened, hasMore } = await inTransaction(this.#dependencies, (transaction) =>
        this.#makeRound(transaction),
      );
      if (opened > 0) metrics.incidents.inc({ origin: 'risk' }, opened);
      if (this.leads && !this.#isBehind) void this.#dependencies.rebuilds.start();
      return hasMore;
    } catch (error) {
      await this.#forget();
      throw error;
    }
  }

  /**
   * Saves the state, so that the next leader need not apply its rounds, and releases the lease, so that another
   * worker can take over at once.
   * @param savingMs time limit of the saving: beyond it the rounds are kept instead
   */
  async resign(savingMs: number): Promise<void> {
    const { pool, log } = this.#dependencies;
    const store = this.#store;
    const stopped = this.#dependencies.rebuilds.stop();
    try {
      if (store)
        await inTransaction(this.#dependencies, (transaction) =>
          this.#saveAtLast(transaction, store, savingMs),
        );
    } catch (error) {
      log.warn({ err: error }, 'the state of the detection was not saved at the end: its rounds are kept');
    } finally {
      const forgotten = this.#forget();
      await this.#lease.release(pool);
      await Promise.all([stopped, forgotten]);
    }
  }

  async #saveAtLast(transaction: Transaction, store: DetectorStore, savingMs: number): Promise<void> {
    const endMs = performance.now() + savingMs;
    await setStatementTimeout(transaction, savingMs);
    if (!(await this.#lease.acquire(transaction))) return;
    const { lastRound } = await lockProgress(transaction);
    if (lastRound !== this.#lastRound) return;
    if (!(await hasRounds(transaction))) return;
    const { failures } = await saveDetectors(transaction, store, () => {
      if (performance.now() >= endMs) throw new Error('The time for saving is over.');
    });
    for (const projectId of this.#failing(failures)) await this.#exclude(transaction, store, projectId);
  }

  async #isDue(): Promise<boolean> {
    const { pool } = this.#dependencies;
    const fromId = this.#inboxFloor.begin();
    const oldestId = await findOldestInboxId(pool, fromId);
    this.#inboxFloor.end(oldestId);
    this.#inboxFromId = oldestId ?? fromId;
    if (oldestId !== null || this.#hasMoreVisits) return true;
    if (!this.isFarFromStepEnd && (await isStepOver(pool, await findProgress(pool)))) return true;
    if (this.#store && this.#lease.isRenewalDue) {
      if (!(await this.#lease.acquire(pool))) await this.#forget();
    }
    return false;
  }

  async #makeRound(transaction: Transaction): Promise<{ opened: number; hasMore: boolean }> {
    const { log } = this.#dependencies;
    const nothing = { opened: 0, hasMore: false };
    if (!(await this.#lease.acquire(transaction))) {
      await this.#forget();
      return nothing;
    }
    await setIdleTimeout(transaction);
    const progress = await lockProgress(transaction);
    if (progress.lastRound !== this.#lastRound) await this.#forget();
    const store = (this.#store ??= await this.#load(transaction, progress));
    this.#lastRound = progress.lastRound;
    const excludedIds = new Set(await listExcludedIds(transaction, new Date(transaction.now())));
    const taken = await takeRound(transaction, store, progress, {
      settingsSince: this.#settingsSince,
      excludedIds,
      inboxFromId: this.#inboxFromId,
    });
    this.#hasMoreVisits = taken.hasMoreVisits;
    this.#isBehind = taken.isBehind;
    this.#hasUpdated = false;
    const caughtUp = await this.#dependencies.rebuilds.takeOver(transaction, store, progress, taken);
    const made = await makeRound(transaction, store, taken, {
      pastDowntimes: progress.pastDowntimes,
      log,
    });
    if (!made) return nothing;
    this.#hasMadeRound = true;
    for (const [projectId, detectorEvents] of caughtUp) {
      const open = store.detectors.get(projectId)?.incidents ?? [];
      const outcome = made.outcomes.get(projectId) ?? { ...createRoundOutcome(), open };
      outcome.detectorEvents = [...detectorEvents, ...outcome.detectorEvents];
      made.outcomes.set(projectId, outcome);
    }
    this.#hasUpdated = [...made.outcomes.values()].some(({ added }) => added.size > 0);
    const { opened, failed } = await writeRound(transaction, log, made, taken.passed.shiftMs);
    if (startOfStep(progress.timeMs) < startOfStep(taken.passed.timeMs) || this.#countedId !== null)
      this.#countedId = await recountIncidents(transaction, this.#countedId);
    for (const projectId of this.#failing(made.failures)) failed.push(projectId);
    for (const projectId of new Set(failed)) await this.#exclude(transaction, store, projectId);
    await this.#keep(transaction, store, { ...made.round, failed }, { ...taken, progress });
    // A long round may have outlived its lease, and another worker would have to load everything.
    assert(await this.#lease.acquire(transaction), 'Another worker took the lease during a round.');
    return { opened, hasMore: taken.hasMore || taken.hasMoreVisits };
  }

  async #load(transaction: Transaction, progress: Progress): Promise<DetectorStore> {
    const { log, maxSeries = seriesBudget() } = this.#dependencies;
    const store = new DetectorStore(maxSeries);
    const failures = await loadDetectors(transaction, store, progress, log);
    for (const projectId of this.#failing(failures)) await this.#exclude(transaction, store, projectId);
    return store;
  }

  #failing(failures: Failure[]): string[] {
    return failures.map(({ projectId, fault }) => {
      this.#dependencies.log.error({ err: fault, projectId }, 'the state of a detector could not be saved');
      return projectId;
    });
  }

  /** Suspends a failed project: it is not evaluated for a while; then its detector is reset. */
  async #exclude(transaction: Transaction, store: DetectorStore, projectId: string): Promise<void> {
    const { log } = this.#dependencies;
    store.release(projectId);
    await deleteState(transaction, projectId);
    await deleteRebuild(transaction, projectId);
    const exclusion = await upsertExclusion(transaction, projectId, new Date(transaction.now()));
    log.error({ projectId, ...exclusion }, 'a project is excluded: its events are stored and not evaluated');
  }

  async #keep(
    transaction: Transaction,
    store: DetectorStore,
    round: Round,
    {
      passed,
      settingsSince,
      progress,
    }: Pick<RoundInput, 'passed' | 'settingsSince'> & { progress: Progress },
  ): Promise<void> {
    const characters = await insertRound(transaction, round);
    const ended: [number, number] = [startOfStep(progress.timeMs), startOfStep(passed.timeMs)];
    this.#saving.addRound(characters, (store.series * (ended[1] - ended[0])) / STEP_MS);
    let pastDowntimes = addPastDowntimes(progress.pastDowntimes, round.downtimes, ended);
    if (this.#saving.isDue(transaction.now())) {
      const { bytes, failures } = await saveDetectors(transaction, store);
      for (const projectId of this.#failing(failures)) await this.#exclude(transaction, store, projectId);
      if (pastDowntimes.length > 0) {
        const oldestMs = (await findOldestTime(transaction)) ?? passed.timeMs;
        pastDowntimes = pastDowntimes.filter(([, toMs]) => toMs > oldestMs);
      }
      this.#saving.onSaved(bytes, transaction.now());
    }
    this.#progress = { lastRound: round.id, ...passed, pastDowntimes };
    await updateProgress(transaction, this.#progress);
    this.#lastRound = round.id;
    this.#settingsSince = settingsSince;
  }

  async #forget(): Promise<void> {
    this.#store = null;
    this.#settingsSince = null;
    this.#isBehind = false;
    this.#hasUpdated = false;
    this.#progress = null;
    await this.#dependencies.rebuilds.stop();
  }
}

function startOfStep(timeMs: number): number {
  return Math.floor(timeMs / STEP_MS) * STEP_MS;
}
