import { inPlainTransaction, type Pool, type Queryable } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { listLivenessIntervals } from '../../queue/liveness-queries.ts';
import type { TimeRange } from '../counts/count-queries.ts';
import { findDowntimes } from '../live/passed-time.ts';
import { listUnlearnedTimes } from '../live/unlearned-queries.ts';
import type { RiskSettings } from '../settings/schema.ts';
import { CollectedCounts } from './count-pieces.ts';
import type { PreviewTask } from './find-incidents.ts';
import { readPastCounts } from './preview-queries.ts';
import { boundBeginning } from './preview-range.ts';
import { runPreview } from './run-preview.ts';
import type { Preview } from './schema.ts';

/** The live detector knows the week before: so must the previewed one. */
const WARM_UP_MS = 7 * DAY_MS;
const SETTLING_MS = 10_000;
/** Maximum bytes of counts: about as many as a preview may evaluate, unless nearly each has a series of its own. */
const MAX_BYTES = 80 * 1024 * 1024;

export interface PreviewRequest {
  projectId: string;
  settings: RiskSettings;
  days: number;
  nowMs: number;
  /** Ends the work when no client waits for it any more. */
  signal: AbortSignal;
}

/**
 * The incidents that a project's past counts would have opened under some settings. The counts are read first; no
 * connection is held while they are evaluated, in a thread of their own.
 * @param run evaluates the counts; by default in that thread
 */
export async function previewIncidents(
  pool: Pool,
  organizationId: string,
  { projectId, settings, days, nowMs, signal }: PreviewRequest,
  run: typeof runPreview = runPreview,
): Promise<Preview> {
  // The current minute would look like a drop, and so would one of which some events are still queued.
  const toMs = minuteOf(nowMs - SETTLING_MS);
  const askedMs = toMs - days * DAY_MS;
  const past = { fromMs: askedMs - WARM_UP_MS, toMs };
  const counted = await readCounts(pool, organizationId, projectId, { ...past, signal });
  const fromMs = Math.max(askedMs, counted?.beginMs ?? askedMs);
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    budget: settings.budget,
    incidents: counted ? await run({ ...counted, settings, fromMs, toMs }, signal) : [],
  };
}

/** Returns null if nothing was counted. */
async function readCounts(
  pool: Pool,
  organizationId: string,
  projectId: string,
  { fromMs, toMs, signal }: TimeRange & { signal: AbortSignal },
): Promise<Pick<PreviewTask, 'pieces' | 'beginMs' | 'downtimes' | 'unlearned'> | null> {
  return inPlainTransaction(pool, async (transaction) => {
    const beginMs = await boundBeginning(transaction, organizationId, projectId, { fromMs, toMs });
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
 * When no process accepted events, as far back as that is known: the first counts may be from before it was recorded.
 */
async function listDowntimes(database: Queryable, { fromMs, toMs }: TimeRange): Promise<[number, number][]> {
  const intervals = await listLivenessIntervals(database, new Date(fromMs));
  const [first] = intervals;
  return first ? findDowntimes(intervals, Math.max(fromMs, first.sinceMs), toMs) : [];
}
