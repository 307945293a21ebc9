import { randomInt, randomUUID } from 'node:crypto';
import { inPlainTransaction } from '../../database/database.ts';
import { acquireLease, deleteLease, updateLease } from '../../database/lease-queries.ts';
import { isLocked, isUndefinedTable } from '../../database/sql-state.ts';
import { adoptBlocks } from '../../events/archive/adopt-blocks.ts';
import { ArchiveError } from '../../events/archive/archive-error.ts';
import {
  type ArchiveState,
  deleteBlocksOfWeek,
  findArchiveState,
  findPlannedBlock,
  findPlannedEnd,
  insertArchiveState,
  insertPlannedBlock,
  listBlocksOfWeek,
  listBlockWeeks,
  updateArchivedUntil,
  updateArchivedUntilOfHeld,
  updateWeekAdopted,
  updateWeekMoved,
  updateWeekPlanned,
} from '../../events/archive/block-queries.ts';
import { findDeletion } from '../../events/archive/deletion-queries.ts';
import { countHeldByBlock } from '../../events/archive/held-queries.ts';
import { type SendDependencies, sendBlock } from '../../events/archive/send-block.ts';
import {
  createClosure,
  dropWeek,
  findLastId,
  isWeekClosed,
  lockWeek,
  shareWeek,
} from '../../events/archive/week-queries.ts';
import { listPartitionWeeks } from '../../events/partition-queries.ts';
import { listWeeksOver, OVER_AFTER_MS } from '../../events/partitions.ts';
import { endOfWeek } from '../../events/weeks.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { isoTime } from '../../platform/time.ts';
import { hasBatchBefore } from '../../queue/queries.ts';
import { holdDuring, StepEndedError } from './hold-during.ts';
import { ARCHIVE_LEASE } from './lease-queries.ts';
import type { ArchiveMetrics } from './metrics.ts';
import { removeNext } from './remove-archived.ts';

/** Longer than a statement of the archive may take, before which it is renewed: two workers never send at the same time. */
const LEASE_MS = 10 * 60_000;
/** Rows of a block: less than ClickHouse divides an insert at, so that it is stored as a whole or not at all. */
const BLOCK_ROWS = 200_000;
/** Numbers are drawn: a restored database would give those of blocks that the archive has to others. */
const MAX_NUMBER = 2 ** 48 - 1;

const NEVER = new AbortController().signal;

export interface MoverDependencies extends SendDependencies {
  /** Identifies the process. UUID. */
  processId: string;
  log: Log;
  metrics: ArchiveMetrics;
  /** Maximum rows of a block; default: 200,000. */
  blockRows?: number;
}

/**
 * Moves weeks that are over to the archive, the oldest first: closes a week, plans a block, brings it into the archive, and
 * plans the next one; when the archive has all of them, a transaction drops the week and moves `archived_until`. One worker
 * does at a time, and each step may be repeated after a crash at any moment.
 */
export class Mover {
  readonly #dependencies: MoverDependencies;
  #isPrepared = false;
  #stopping = NEVER;

  constructor(dependencies: MoverDependencies) {
    const { pool } = dependencies;
    const archive = holdDuring(dependencies.archive, {
      renew: () => updateLease(pool, this.#lease),
      stopping: () => this.#stopping,
    });
    this.#dependencies = { ...dependencies, archive };
  }

  /**
   * Takes one step.
   * @param nowMs trusted time; null: the clock is not trusted, and no further week is closed
   * @param stopping ends it within a statement of the archive
   */
  async runOnce(nowMs: number | null, stopping = NEVER): Promise<'again' | 'idle'> {
    const { pool, processId: holderId } = this.#dependencies;
    this.#stopping = stopping;
    const over = nowMs === null ? [] : await listWeeksOver(pool, nowMs);
    // Also while the archive does not answer.
    this.#observe(over, nowMs);
    if (!(await acquireLease(pool, this.#lease))) return 'idle';
    const result = await this.#step(over).catch((error: unknown) => {
      // Another process goes on from what this one has written down.
      if (error instanceof StepEndedError) return 'idle' as const;
      throw error;
    });
    if (result === 'idle') await deleteLease(pool, ARCHIVE_LEASE, holderId);
    return result;
  }

  /** True once it has asked the archive what it holds. */
  get isPrepared(): boolean {
    return this.#isPrepared;
  }

  get #lease() {
    return { name: ARCHIVE_LEASE, holderId: this.#dependencies.processId, durationMs: LEASE_MS };
  }

  async #step([weekMs]: readonly number[]): Promise<'again' | 'idle'> {
    const { pool } = this.#dependencies;
    const state = await this.#prepare();
    // From here on, transactions that remove events write down what the archive has to remove.
    if (!state) return 'idle';
    const weeks = await listPartitionWeeks(pool);
    if (await this.#forgetLostWeek(weeks)) return 'again';
    // Before anything is planned: no block is under way while events are removed from the archive.
    const planned = await findPlannedBlock(pool);
    if (planned) return this.#send(state, planned);
    if (await removeNext(this.#dependencies)) return 'again';
    if (weekMs === undefined) return this.#passEmptyWeeks(weeks);
    if (!(await isWeekClosed(pool, weekMs))) return this.#close(weekMs);
    let hasPlanned = false;
    const result = await unlessLocked(async () => void (hasPlanned = await this.#plan(weekMs)));
    return result === 'idle' || hasPlanned ? result : this.#complete(weekMs);
  }

  /** @returns the state of the archive; null: this call has made it */
  async #prepare(): Promise<ArchiveState | null> {
    const { pool, archive, log } = this.#dependencies;
    const state = await findArchiveState(pool);
    if (!state) {
      // Before the archive is asked: what is removed from now on is also to be removed from what it has.
      await insertArchiveState(pool, randomUUID());
      return null;
    }
    if (!this.#isPrepared) {
      for (const name of await archive.migrate()) log.info({ name }, 'the archive was migrated');
      for (const weekMs of await archive.listWeeks()) await this.#adopt(weekMs);
      this.#isPrepared = true;
    }
    return state;
  }

  async #adopt(weekMs: number): Promise<number> {
    const { pool, archive, log } = this.#dependencies;
    const rows = await adoptBlocks(pool, archive, weekMs);
    if (rows > 0)
      log.warn(
        { week: isoTime(weekMs), rows },
        'the archive has events that this database does not know: they are kept',
      );
    return rows;
  }

  /**
   * Settles a week that PostgreSQL has lost while it moved. Retention has dropped it, and removes its stored blocks from the archive
   * too; or the database was restored, and they are the only copy. A planned block may have events that were to be removed.
   */
  async #forgetLostWeek(weeks: readonly number[]): Promise<boolean> {
    const { pool, archive } = this.#dependencies;
    const moving = (await listBlockWeeks(pool)).filter((week) => week.moving > 0);
    const lost = moving.find(({ week }) => !weeks.includes(week.getTime()));
    if (!lost) return false;
    const weekMs = lost.week.getTime();
    for (const { number, state } of await listBlocksOfWeek(pool, lost.week))
      if (state === 'planned') await archive.deleteBlock({ number, weekMs });
    await deleteBlocksOfWeek(pool, lost.week, ['planned']);
    await updateWeekAdopted(pool, lost.week);
    return true;
  }

  async #send(state: ArchiveState, block: Parameters<typeof sendBlock>[2]): Promise<'again'> {
    const { metrics, log } = this.#dependencies;
    const { result, rows } = await sendBlock(this.#dependencies, state.installationId, block);
    if (result === 'stored') {
      log.debug({ block: block.number, rows }, 'a block is in the archive');
      return 'again';
    }
    metrics.archiveRepeats.inc();
    // An error, so that the next attempt waits: it may differ again.
    if (result === 'different')
      throw new ArchiveError(
        `Block ${block.number} of the week of ${isoTime(block.week)} differs in the archive from the events that were sent.`,
      );
    log.info({ block: block.number, week: isoTime(block.week) }, 'a block of the archive is sent again');
    return 'again';
  }

  /** Closes a week unless something of it may wait. */
  async #close(weekMs: number): Promise<'again' | 'idle'> {
    const { pool } = this.#dependencies;
    if (await hasBatchBefore(pool, new Date(endOfWeek(weekMs) + OVER_AFTER_MS))) return 'idle';
    await this.#adopt(weekMs);
    return unlessLocked(async () => {
      await inPlainTransaction(pool, async (transaction) => {
        await createClosure(transaction, weekMs);
        // A restored week was open until now, so that its blocks may have changed unnoticed.
        await updateWeekPlanned(transaction, new Date(weekMs));
      });
    });
  }

  /** Plans the next block of a week. @returns false: all of its events are planned */
  async #plan(weekMs: number): Promise<boolean> {
    const { pool, blockRows: limit = BLOCK_ROWS } = this.#dependencies;
    const week = new Date(weekMs);
    return inPlainTransaction(pool, async (transaction) => {
      // A process that removes events meanwhile would not know of the block.
      await shareWeek(transaction, weekMs);
      const afterId = (await findPlannedEnd(transaction, week)) ?? beforeWeek(weekMs);
      const lastId = await findLastId(transaction, weekMs, { afterId, limit });
      if (lastId === null) return false;
      await insertPlannedBlock(transaction, { number: randomInt(1, MAX_NUMBER), week, afterId, lastId });
      return true;
    });
  }

  /** Drops a week that the archive has: it is one transaction until when PostgreSQL answers alone, and what it has. */
  async #complete(weekMs: number): Promise<'again' | 'idle'> {
    const { pool, metrics, log } = this.#dependencies;
    const week = new Date(weekMs);
    if (!(await this.#isHeld(weekMs))) {
      await updateWeekPlanned(pool, week);
      return 'again';
    }
    return unlessLocked(async () => {
      const rows = await inPlainTransaction(pool, async (transaction) => {
        if (!(await acquireLease(transaction, this.#lease))) return null;
        await lockWeek(transaction, weekMs);
        // Something was removed while this transaction waited.
        if ((await findPlannedBlock(transaction)) !== null || (await findDeletion(transaction)) !== null)
          return null;
        const blocks = await listBlocksOfWeek(transaction, week);
        await dropWeek(transaction, weekMs);
        await updateWeekMoved(transaction, week);
        await updateArchivedUntil(transaction, new Date(endOfWeek(weekMs)));
        return blocks.reduce((sum, block) => sum + (block.state === 'stored' ? (block.rows ?? 0) : 0), 0);
      });
      if (rows !== null) {
        metrics.archivedEvents.inc(rows);
        log.info({ week: isoTime(weekMs), rows }, 'a week has moved to the archive');
      }
    });
  }

  /** True if the archive has as many events of each block as were compared, and no others. */
  async #isHeld(weekMs: number): Promise<boolean> {
    const { pool, archive } = this.#dependencies;
    if ((await this.#adopt(weekMs)) > 0) return false;
    const held = await countHeldByBlock(archive, weekMs);
    const blocks = await listBlocksOfWeek(pool, new Date(weekMs));
    return blocks.every(
      ({ number, state, rows }) => state !== 'stored' || (held.get(number) ?? 0) === (rows ?? 0),
    );
  }

  /** Weeks of a newer archive that PostgreSQL has no events of are read there as well. */
  async #passEmptyWeeks(weeks: readonly number[]): Promise<'idle'> {
    const { pool } = this.#dependencies;
    const held = (await listBlockWeeks(pool)).filter(({ moving }) => moving === 0).at(-1);
    const untilMs = Math.min(held ? endOfWeek(held.week.getTime()) : 0, weeks[0] ?? Number.POSITIVE_INFINITY);
    if (held && untilMs > 0) await updateArchivedUntilOfHeld(pool, new Date(untilMs));
    return 'idle';
  }

  #observe([weekMs]: readonly number[], nowMs: number | null): void {
    if (nowMs === null) return;
    const sinceMs = weekMs === undefined ? nowMs : endOfWeek(weekMs) + OVER_AFTER_MS;
    this.#dependencies.metrics.archiveLag.set(Math.max(0, nowMs - sinceMs) / 1000);
  }
}

/** The id before all of a week. */
function beforeWeek(weekMs: number): string {
  return uuidLowerBound(weekMs - 1);
}

/** Does work that waits for a lock for a moment; if it cannot, the next round tries again. */
async function unlessLocked(work: () => Promise<void>): Promise<'again' | 'idle'> {
  try {
    await work();
    return 'again';
  } catch (error) {
    // Retention may drop the week meanwhile.
    if (isLocked(error) || isUndefinedTable(error)) return 'idle';
    throw error;
  }
}
