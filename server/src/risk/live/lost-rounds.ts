import { type ProjectDetector, type ReopenedIncident, UP } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { sideOf } from '../headline/rule-side.ts';
import { listIncidentsFrom } from './queries.ts';

/** Rounds that could not be applied. */
export interface LostRounds {
  untilMs: number;
  /** Projects that they are lost to. */
  projectIds: ReadonlySet<string>;
}

/**
 * What those rounds have opened in some projects: it is known again, so no number is used twice, what goes
 * on joins them, and what is over ends by itself. Nothing is known of the time until then: no silence follows from it.
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
