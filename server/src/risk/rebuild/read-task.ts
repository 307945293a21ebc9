import { MAX_SERIES } from '@tocsin/detector';
import type { Pool } from '../../database/database.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/durations.ts';
import { minuteOf } from '../../platform/time.ts';
import { findProgress } from '../live/journal-queries.ts';
import { limitSeries } from '../live/limit-series.ts';
import { listNewProjects } from '../live/queries.ts';
import type { Rebuild } from '../live/rebuild-queries.ts';
import type { ReplayCost } from '../replay/preview-range.ts';
import { readPast } from '../replay/read-past.ts';
import { listKnownErrors } from './queries.ts';
import type { RebuildTask } from './rebuild-detector.ts';

/** A detector knows no more of the past than a month and some days. */
const MAX_PAST_MS = 35 * DAY_MS;
/** As many as a detector remembers. */
const MAX_KNOWN_ERRORS = 5_000;

/**
 * Reads the input of a rebuild up to the last round, by the time of the detectors.
 * @returns null if nothing was counted, or the project is deleted
 */
export async function readRebuildTask(
  pool: Pool,
  { organizationId, projectId, sinceMs }: Rebuild,
  { cost, signal }: { cost: ReplayCost; signal: AbortSignal },
): Promise<RebuildTask | null> {
  const { timeMs, shiftMs: exactShiftMs } = await findProgress(pool);
  const shiftMs = wholeMinutes(exactShiftMs);
  const toMs = minuteOf(timeMs) - shiftMs;
  const [initial] = await listNewProjects(pool, [projectId]);
  if (!initial) return null;
  const range = { fromMs: toMs - MAX_PAST_MS, toMs };
  const past = await readPast(pool, organizationId, projectId, { ...range, cost, signal });
  if (!past) return null;
  const known = { before: new Date(sinceMs - shiftMs), limit: MAX_KNOWN_ERRORS };
  const limits = await limitSeries(pool, new Map(), new Map([[projectId, MAX_SERIES]]));
  const maxSeries = limits[projectId];
  const { pieces, beginMs, downtimes, unlearned } = past;
  if (shiftMs !== 0)
    for (const { minutes } of pieces) minutes.forEach((at, i) => (minutes[i] = at + shiftMs / MINUTE_MS));
  return {
    settings: initial.settings,
    pieces,
    beginMs: beginMs + shiftMs,
    toMs: toMs + shiftMs,
    downtimes: downtimes.map(([from, to]) => [from + shiftMs, to + shiftMs]),
    unlearned: unlearned.map((time) => {
      return { ...time, fromMs: time.fromMs + shiftMs, untilMs: time.untilMs + shiftMs };
    }),
    ...(maxSeries !== undefined && { maxSeries }),
    knownErrors: await listKnownErrors(pool, organizationId, projectId, known),
    sinceMs,
  };
}

/** Counts are by the minute of the clocks: a shift of the detectors' time is one of minutes. */
export function wholeMinutes(shiftMs: number): number {
  return Math.round(shiftMs / MINUTE_MS) * MINUTE_MS;
}
