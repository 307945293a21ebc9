import type { Queryable } from '../../platform/database.ts';
import type { ReopenedIncident } from '../detector/merging.ts';
import type { ProjectDetector } from '../detector/project-detector.ts';
import { DOWN, UP } from '../detector/series-memory.ts';
import { listIncidentsFrom } from './queries.ts';
import type { Round } from './round.ts';
import { FALLING } from './write-outcome.ts';

/**
 * The first round after rounds that could not be applied. Nothing is known of the time until then, so no silence
 * follows from it; the incidents that those rounds have opened are known again, so no number is used twice, what goes
 * on joins them, and what is over ends by itself.
 */
export async function afterLostRounds(
  database: Queryable,
  detectors: Map<string, ProjectDetector>,
  round: Round,
  untilMs: number,
): Promise<Round> {
  const next = [...detectors].map(([projectId, { nextIncident }]) => ({ projectId, incident: nextIncident }));
  const incidents: Record<string, ReopenedIncident[]> = {};
  for (const { projectId, incident, isOver, rule } of await listIncidentsFrom(database, next)) {
    const side = rule !== null && FALLING.includes(rule) ? DOWN : UP;
    (incidents[projectId] ??= []).push({ number: incident, side, isOver });
  }
  return { ...round, gaps: [[0, untilMs], ...round.gaps], lost: { untilMs, incidents } };
}
