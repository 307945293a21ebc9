import type { Store } from '../database/database.ts';
import { acquireLease, deleteLease } from '../database/lease-queries.ts';
import { confirmedTime } from '../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import { isArchiveErased } from './erase-archived.ts';
import { eraseDeadLetters, eraseEvents } from './erase-events.ts';
import { eraseTexts } from './erase-texts.ts';
import { FIRST_ID } from './first-id.ts';
import { MIN_TEXT_LENGTH } from './limits.ts';
import {
  findUnfinishedErasure,
  isErasureWaiting,
  isProcessMissing,
  type UnfinishedErasure,
  updateErasureCover,
  updateErasureDone,
} from './queries.ts';
import type { UnreachedPlace } from './schema.ts';

const LEASE = 'erasures';
/** Another worker continues an erasure after this long. A step takes seconds at most. */
const LEASE_MS = 30_000;
/** Time for which keys that recognise repeats are kept. */
const CLAIM_DAYS = 30;
/** Time for which the newest requests are kept, and queues that are removed sooner. */
const TRANSIENT_HOURS = 24;

export interface EraserDependencies extends Store {
  /** Identifies the process. UUID. */
  processId: string;
  retentionDays: number;
  /** True: an archive is configured. */
  hasArchive?: boolean;
  /** Time limit of a search by the index of values; by default some seconds. */
  searchMs?: number;
}

type Step = 'worked' | 'waited';

/**
 * Carries out erasures, one after the other, in short transactions. One worker does at a time; each step may be repeated, and
 * the place among the events is stored, so that another one continues where it was interrupted.
 */
export class Eraser {
  readonly #dependencies: EraserDependencies;
  /** Steps of an erasure in progress. */
  #steps: AsyncGenerator<Step, void> | null = null;
  /** The last erasure that began: one that waits lets the others pass. */
  #lastId = FIRST_ID;

  constructor(dependencies: EraserDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes one step. @returns `idle` if there is nothing to do by now */
  async runOnce(): Promise<'again' | 'idle'> {
    const { pool, processId: holderId } = this.#dependencies;
    // Steps that fail are over: the next call starts over.
    const steps = this.#steps ?? (await this.#begin());
    this.#steps = null;
    if (!steps || !(await acquireLease(pool, { name: LEASE, holderId, durationMs: LEASE_MS }))) return 'idle';
    const { done, value } = await steps.next();
    if (done) await deleteLease(pool, LEASE, holderId);
    if (value === 'waited') return 'idle';
    if (!done) this.#steps = steps;
    return 'again';
  }

  async #begin(): Promise<AsyncGenerator<Step, void> | null> {
    const erasure = await findUnfinishedErasure(this.#dependencies.pool, this.#lastId);
    if (!erasure) return null;
    this.#lastId = erasure.id;
    return eraseInSteps(this.#dependencies, erasure);
  }
}

/**
 * Erases what was accepted before the request. Dead letters come before the moment that is covered, since they may return to
 * the queue, and again after the events, since some become dead letters meanwhile.
 */
async function* eraseInSteps(
  dependencies: EraserDependencies,
  erasure: UnfinishedErasure,
): AsyncGenerator<Step, void> {
  const { pool } = dependencies;
  yield* worked(eraseDeadLetters(dependencies, erasure));
  await updateErasureCover(pool, erasure.id);
  if (await isErasureWaiting(pool, erasure)) {
    yield 'waited';
    return;
  }
  yield* worked(eraseEvents(dependencies, erasure));
  // After those of PostgreSQL: what moves meanwhile is removed from the archive.
  if (!(await isArchiveErased(dependencies, erasure))) {
    yield 'waited';
    return;
  }
  yield* worked(eraseDeadLetters(dependencies, erasure));
  yield* worked(eraseTexts(dependencies, erasure));
  const nowMs = confirmedTime(dependencies.clock);
  await updateErasureDone(
    pool,
    erasure.id,
    await listUnreached(dependencies, erasure, nowMs),
    new Date(nowMs),
  );
}

async function* worked(steps: AsyncGenerator<void, void>): AsyncGenerator<Step, void> {
  for await (const _ of steps) yield 'worked';
}

async function listUnreached(
  { pool, retentionDays }: EraserDependencies,
  erasure: UnfinishedErasure,
  nowMs: number,
): Promise<UnreachedPlace[]> {
  const after = (ms: number) => new Date(nowMs + ms).toISOString();
  return [
    { what: 'backups', until: null },
    { what: 'messages', until: null },
    { what: 'exports', until: null },
    { what: 'audit_log', until: null },
    { what: 'other_texts', until: after(retentionDays * DAY_MS) },
    { what: 'names', until: null },
    { what: 'cut_texts', until: null },
    ...(erasure.value.length < MIN_TEXT_LENGTH ? [{ what: 'short_value', until: null } as const] : []),
    { what: 'idempotency_keys', until: after(CLAIM_DAYS * DAY_MS) },
    { what: 'transient', until: after(TRANSIENT_HOURS * HOUR_MS) },
    ...((await isProcessMissing(pool, erasure)) ? [{ what: 'disks', until: null } as const] : []),
  ];
}
