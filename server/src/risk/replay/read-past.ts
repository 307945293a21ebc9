import { inPlainTransaction, type Pool, type Queryable } from '../../database/database.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { listLivenessIntervals } from '../../queue/liveness-queries.ts';
import { findUnknownTimes } from '../live/passed-time.ts';
import { listUnlearnedTimes } from '../live/unlearned-queries.ts';
import { CollectedCounts } from './count-pieces.ts';
import type { ReplayTask } from './find-incidents.ts';
import { readPastCounts } from './preview-queries.ts';
import { boundBeginning, type ReplayCost } from './preview-range.ts';

/** Maximum bytes of counts: about as many as may be evaluated, unless nearly each has a series of its own. */
const MAX_BYTES = 80 * 1024 * 1024;

interface PastOptions extends TimeRange {
  cost: ReplayCost;
  signal: AbortSignal;
}

/**
 * Reads a range of past counts, the newest that the cost allows. No connection is held while they are evaluated.
 * @returns null if nothing was counted
 */
export async function readPast(
  pool: Pool,
  organizationId: string,
  projectId: string,
  { toMs, cost, signal, ...asked }: PastOptions,
): Promise<Pick<ReplayTask, 'pieces' | 'beginMs' | 'downtimes' | 'unlearned'> | null> {
  return inPlainTransaction(pool, async (transaction) => {
    const bounds = { fromMs: asked.fromMs, toMs, cost, signal };
    const beginMs = await boundBeginning(transaction, organizationId, projectId, bounds);
    if (beginMs === null) return null;
    const range = { fromMs: beginMs, toMs };
    const counts = new CollectedCounts(beginMs, MAX_BYTES);
    for await (const piece of readPastCounts(transaction, organizationId, projectId, range)) {
      signal.throwIfAborted();
      counts.add(piece);
    }
    const downtimes = await listDowntimes(transaction, range);
    const times = await listUnlearnedTimes(transaction, new Date(range.fromMs), projectId);
    const unlearned = times.map(({ time }) => time);
    return { pieces: counts.pieces, beginMs: counts.fromMs, downtimes, unlearned };
  });
}

/**
 * Returns the times in which no process accepted events, or one could not store them, as far back as that is known: the first
 * counts may be from before it was recorded.
 */
export async function listDowntimes(
  database: Queryable,
  { fromMs, toMs }: TimeRange,
): Promise<[number, number][]> {
  const intervals = await listLivenessIntervals(database, new Date(fromMs));
  const [first] = intervals;
  return first ? findUnknownTimes(intervals, Math.max(fromMs, first.sinceMs), toMs) : [];
}
