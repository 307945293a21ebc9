import { type ProjectDetector, type ReopenedIncident, UP } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { sideOf } from '../headline/opened-alarm.ts';
import { listIncidentsFrom } from './queries.ts';

/** Rounds that could not be applied. */
export interface LostRounds {
  untilMs: number;
  /** Projects that are affected. */
  projectIds: ReadonlySet<string>;
}

/**
 * Incidents that those rounds have opened in some projects. They are restored, so no number is used twice, ongoing
 * alarms join them, and those that are over end by themselves. The time until then is unknown: no silence follows
 * from it.
 */
export async function findReopened(
  database: Queryable,
  detectors: ReadonlyMap<string, ProjectDetector>,
  projectIds: string[],
): Promise<Record<string, ReopenedIncident[]>> {
  const next = projectIds.flatMap((projectId) => {
    const detector = detectors.get(projectId);
    return detector ? [{ projectId, incident: detector.nextIncident }] : [];
  });
  const incidents: Record<string, ReopenedIncident[]> = {};
  for (const { projectId, incident, isOver, evidence } of await listIncidentsFrom(database, next)) {
    const side = evidence ? sideOf(evidence.rule) : UP;
    const series = evidence ? [evidence.series, ...evidence.alsoSeries] : [];
    (incidents[projectId] ??= []).push({ number: incident, side, isOver, series });
  }
  return incidents;
}
