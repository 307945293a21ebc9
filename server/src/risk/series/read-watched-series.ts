import {
  DEFAULT_SETTINGS,
  DETECTOR_VERSION,
  fromBytes,
  ProjectDetector,
  type WatchedSeries,
} from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { isoTime } from '../../platform/time.ts';
import { inTurns } from '../../platform/timing/turns.ts';
import { applyRound, catchUp } from '../live/round.ts';
import { findSavedDetector, type SavedDetector } from './queries.ts';
import type { WatchedSeriesList } from './schema.ts';

/** Sums come first: they are the most informative. */
const KIND_ORDER: WatchedSeries['series']['kind'][] = [
  'total',
  'errors',
  'failed_payments',
  'other',
  'events',
];

/**
 * State of a project's series, as the leading worker has it in memory after its last round: the saved state, and the
 * rounds since then.
 */
export async function readWatchedSeries(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<WatchedSeriesList> {
  const saved = await findSavedDetector(database, organizationId, projectId);
  const detector = saved && (await restore(saved, projectId));
  if (!saved || !detector) return { at: null, series: [] };
  const toTime = (timeMs: number) => isoTime(new Date(timeMs - saved.progress.shiftMs));
  const series = detector.describeSeries().toSorted(compare);
  return { at: toTime(detector.stepMs), series: series.map((one) => toAnswer(one, toTime)) };
}

/** Returns null if the project is not watched: nothing has come, or its detector failed. */
async function restore(
  { state, rounds, progress: { timeMs, pastDowntimes } }: SavedDetector,
  projectId: string,
): Promise<ProjectDetector | null> {
  const detectors = new Map<string, ProjectDetector>();
  const restored = state && fromBytes(state);
  if (restored) detectors.set(projectId, new ProjectDetector(0, DEFAULT_SETTINGS, restored));
  for (const round of rounds) {
    // Another version may decide otherwise: the leader leaves these rounds out as well.
    if (round.version !== DETECTOR_VERSION) continue;
    await inTurns(applyRound(detectors, round, [projectId], pastDowntimes));
  }
  const detector = detectors.get(projectId);
  if (detector) await inTurns(catchUp(detector, timeMs, pastDowntimes));
  return detector ?? null;
}

function compare(left: WatchedSeries, right: WatchedSeries): number {
  return (
    KIND_ORDER.indexOf(left.series.kind) - KIND_ORDER.indexOf(right.series.kind) ||
    right.perMinute - left.perMinute
  );
}

function toAnswer(
  { series, perMinute, dispersion, lastEventMs, opening, share, silence, heartbeat }: WatchedSeries,
  toTime: (timeMs: number) => string,
): WatchedSeriesList['series'][number] {
  return {
    series,
    perMinute: toThreeDigits(perMinute),
    dispersion: toThreeDigits(dispersion),
    lastEventAt: lastEventMs === null ? null : toTime(lastEventMs),
    opening: opening.map(({ stepMinutes, windowMinutes, expected, rise, drop }) => ({
      stepSeconds: Math.round(stepMinutes * 60),
      windowSeconds: Math.round(windowMinutes * 60),
      expected: toThreeDigits(expected),
      rise,
      drop,
    })),
    share: share && {
      of: share.trials === 'payments' ? 'payments' : 'traffic',
      usualShare: toThreeDigits(share.usualShare),
      opening: share.opening.map(({ windowMinutes, events, failures }) => ({
        windowSeconds: Math.round(windowMinutes * 60),
        events,
        failures,
      })),
    },
    silence: silence && {
      expected: toThreeDigits(silence.expected),
      threshold: toThreeDigits(silence.threshold),
      dueAt: silence.dueMs === null ? null : toTime(silence.dueMs),
    },
    heartbeat: heartbeat && {
      everySeconds: Math.round(heartbeat.usualMinutes * 60),
      dueAt: toTime(heartbeat.dueMs),
    },
  };
}

/** Rounds an estimate, whose further digits mean nothing. */
function toThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}
