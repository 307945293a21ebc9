import { inTransaction, type Pool, type Queryable } from '../database/database.ts';
import { findNewestReceipt } from '../events/remove/receipt-queries.ts';
import type { Clock } from '../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import type { Log } from '../platform/log.ts';
import { listLivenessIntervals } from '../queue/liveness-queries.ts';
import { findDowntimes } from '../risk/live/passed-time.ts';
import {
  lockMaintenanceState,
  type MaintenanceState,
  updateMaintenanceState,
} from './maintenance-queries.ts';
import type { MaintenanceMetrics } from './metrics.ts';
import { assessTime, DOUBT_MS } from './trusted-time.ts';

const COMPLAINT_INTERVAL_MS = HOUR_MS;
const DROP_INTERVAL_MS = HOUR_MS;

export interface MaintenanceDependencies {
  pool: Pool;
  clock: Clock;
  /** Monotonic time in milliseconds. */
  monotonicMs: () => number;
  /** The clock of the database, in milliseconds. */
  databaseTime: (database: Queryable) => Promise<number>;
  log: Log;
  metrics: MaintenanceMetrics;
  retentionDays: number;
}

export interface MaintenanceTime {
  nowMs: number;
  /** Time that ages of events are counted from. */
  countedFromMs: number;
  /** True if a person has confirmed the time. */
  isConfirmed: boolean;
}

/** The time by which maintenance may delete data. The decision is stored in the database and shared by all workers. */
export class MaintenanceClock {
  readonly #dependencies: MaintenanceDependencies;
  /** Monotonic times, both of them. */
  #lastRoundMs: number | null = null;
  #complainedMs: number | null = null;

  constructor(dependencies: MaintenanceDependencies) {
    this.#dependencies = dependencies;
  }

  /** @returns null while the clock is not trusted: nothing may be deleted */
  async assess(): Promise<MaintenanceTime | null> {
    const { pool, clock, databaseTime, monotonicMs, metrics, retentionDays } = this.#dependencies;
    const nowMs = Math.min(clock.now(), await databaseTime(pool));
    const startedMs = monotonicMs();
    const ranMs = startedMs - (this.#lastRoundMs ?? startedMs);
    const state = await this.#change(async (transaction, before) => {
      const assessed = await assess(transaction, before, nowMs, ranMs);
      // The confirmation was for another time.
      const isConfirmed = before.isConfirmed && assessed.doubt === null;
      return { ...before, ...assessed, isConfirmed, retentionDays };
    });
    this.#lastRoundMs = startedMs;
    metrics.retentionHeld.set(state.doubt ? 1 : 0);
    if (state.doubt) {
      this.#complain(nowMs, state.trustedMs, state.doubt.ranMs);
      return null;
    }
    this.#complainedMs = null;
    const { isConfirmed } = state;
    const countedFromMs = isConfirmed ? nowMs : await findRetentionTime(pool, nowMs);
    return { nowMs, countedFromMs, isConfirmed };
  }

  /** Claims the drop of a week. Returns true if it may happen now; if so, the next one may be in an hour. */
  async claimDrop(nowMs: number): Promise<boolean> {
    return claimDrop(this.#dependencies, nowMs);
  }

  /** Returns the claim after the week could not be dropped. */
  async returnDrop(): Promise<void> {
    await this.#change(async (_, state) => ({ ...state, droppedMs: 0 }));
  }

  /** Ends the confirmation once everything that was too old at that time is deleted. */
  async endConfirmation(): Promise<void> {
    await this.#change(async (_, state) => ({ ...state, isConfirmed: false }));
  }

  #change(
    work: (transaction: Queryable, state: MaintenanceState) => Promise<MaintenanceState>,
  ): Promise<MaintenanceState> {
    return changeMaintenanceState(this.#dependencies, work);
  }

  /** Warns at once, and then each hour. */
  #complain(nowMs: number, trustedMs: number, ranMs: number): void {
    const { log, metrics, monotonicMs } = this.#dependencies;
    if (this.#complainedMs === null) metrics.clockLeaps.inc();
    else if (monotonicMs() - this.#complainedMs < COMPLAINT_INTERVAL_MS) return;
    this.#complainedMs = monotonicMs();
    log.error(
      {
        now: new Date(nowMs),
        lastMaintenance: new Date(trustedMs),
        hoursLeft: Math.ceil((DOUBT_MS - ranMs) / HOUR_MS),
      },
      'the clock is wrong or the service was switched off: nothing is removed until it has run for 24 hours with this clock, or `tocsin retention --confirm`',
    );
  }
}

/** Claims the drop of a week. Returns true if it may happen now; if so, the next one may be in an hour. */
export async function claimDrop(dependencies: StateDependencies, nowMs: number): Promise<boolean> {
  let mayDrop = false;
  await changeMaintenanceState(dependencies, async (_, state) => {
    mayDrop = state.isConfirmed || Math.abs(nowMs - state.droppedMs) >= DROP_INTERVAL_MS;
    return mayDrop ? { ...state, droppedMs: nowMs } : state;
  });
  return mayDrop;
}

type StateDependencies = Pick<MaintenanceDependencies, 'pool' | 'clock' | 'databaseTime'>;

/** Changes the stored state, which it locks against other workers meanwhile. */
export async function changeMaintenanceState(
  { pool, clock, databaseTime }: StateDependencies,
  work: (transaction: Queryable, state: MaintenanceState) => Promise<MaintenanceState>,
): Promise<MaintenanceState> {
  return inTransaction({ pool, clock }, async (transaction) => {
    const before = await lockMaintenanceState(transaction, async () => ({
      trustedMs: Math.min(clock.now(), await databaseTime(transaction)),
      doubt: null,
      droppedMs: 0,
      isConfirmed: false,
      retentionDays: null,
    }));
    const after = await work(transaction, before);
    await updateMaintenanceState(transaction, after);
    return after;
  });
}

async function assess(database: Queryable, state: MaintenanceState, nowMs: number, ranMs: number) {
  const { trustedMs, doubt } = state;
  // Several workers add up the running time of the service: none of it counts twice.
  const lastMs = doubt?.seenMs ?? trustedMs;
  const elapsedMs = Math.max(0, Math.min(ranMs, nowMs - lastMs));
  const assessed = assessTime(state, nowMs, elapsedMs, 0);
  if (assessed.doubt === null || nowMs <= trustedMs) return assessed;
  // No worker ran, but ingestion did.
  return assessTime(state, nowMs, elapsedMs, await findPresentTime(database, trustedMs, nowMs));
}

/**
 * The reference for the age of events until a person confirms the time. If ingestion hardly ran since the newest event was
 * received, only the clock says that time has passed: a restored backup is kept as it is.
 */
export async function findRetentionTime(database: Queryable, nowMs: number): Promise<number> {
  const newestMs = await findNewestReceipt(database);
  if (newestMs === null || newestMs >= nowMs - DAY_MS) return nowMs;
  return (await findPresentTime(database, newestMs, nowMs)) >= DAY_MS ? nowMs : newestMs;
}

/** Part of a span of time in which ingestion was running. */
async function findPresentTime(database: Queryable, fromMs: number, toMs: number): Promise<number> {
  const intervals = await listLivenessIntervals(database, new Date(fromMs));
  const downtimes = findDowntimes(intervals, fromMs, toMs);
  return downtimes.reduce(
    (restMs, [downFromMs, downToMs]) => restMs - (downToMs - downFromMs),
    toMs - fromMs,
  );
}
