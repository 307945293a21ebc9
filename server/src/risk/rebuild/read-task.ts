import { LATE_MS, MAX_SERIES, ProjectDetector, type SteadyLateSource } from '@tocsin/detector';
import type { Pool } from '../../database/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { minuteOf } from '../../platform/time.ts';
import { listLateSources } from '../incidents/late-source-queries.ts';
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
/** Sources that deliver later than this have no complete counts at a takeover. */
const MAX_UNSETTLED_MS = 2 * HOUR_MS;

/**
 * Reads the input of a rebuild, by the time of the detectors: the minutes that were complete at the last round.
 * @returns null if nothing was counted, or the project is deleted
 */
export async function readRebuildTask(
  pool: Pool,
  { organizationId, projectId, sinceMs }: Rebuild,
  { cost, signal }: { cost: ReplayCost; signal: AbortSignal },
): Promise<RebuildTask | null> {
  const { timeMs, shiftMs: exactShiftMs } = await findProgress(pool);
  const shiftMs = wholeMinutes(exactShiftMs);
  const lateSources = await listLateSources(pool, organizationId, projectId);
  const toMs = minuteOf(timeMs) - shiftMs - unsettledMs(lateSources);
  const [initial] = await listNewProjects(pool, [projectId]);
  if (!initial) return null;
  const range = { fromMs: toMs - MAX_PAST_MS, toMs };
  const past = await readPast(pool, organizationId, projectId, { ...range, cost, signal });
  if (!past) return null;
  const known = { before: new Date(sinceMs - shiftMs), limit: MAX_KNOWN_ERRORS };
  // It takes the place of the one that watches meanwhile, whose series leave room for its own.
  const detectors = new Map([[projectId, new ProjectDetector(toMs, initial.settings)]]);
  const limits = await limitSeries(pool, detectors, new Map([[projectId, MAX_SERIES]]));
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

/** How long after a minute its counts are complete, in whole minutes: they are by capture, and events come later. */
export function unsettledMs(lateSources: readonly Pick<SteadyLateSource, 'behindMs'>[]): number {
  const behindMs = lateSources.reduce((most, source) => Math.max(most, source.behindMs), 0);
  return Math.min(MAX_UNSETTLED_MS, Math.ceil((behindMs + LATE_MS) / MINUTE_MS) * MINUTE_MS);
}

/** Counts are by the minute of the clocks: a shift of the detectors' time is one of minutes. */
export function wholeMinutes(shiftMs: number): number {
  return Math.round(shiftMs / MINUTE_MS) * MINUTE_MS;
}
