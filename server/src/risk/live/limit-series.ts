import { MAX_SERIES, type ProjectDetector } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { listSeriesOfOrganizations } from './state-queries.ts';

/**
 * Maximum size of an organization's detectors, in series: with rules, new errors and late sources, as in the memory
 * of a process. Only the series that each project always has (its total, its errors, the others, its payments) are
 * not counted.
 */
export const MAX_ORGANIZATION_SERIES = 5_000;

/**
 * Number of series that projects tell apart from now on, for those that change: if an organization has no room for
 * all new ones, a new one takes the place of a dead one, or is watched with the others of its project. The round
 * contains it, so it is the same when the round is applied again.
 * @param newSeries number of unknown series, by project; without any, the database is not read
 */
export async function limitSeries(
  database: Queryable,
  detectors: ReadonlyMap<string, ProjectDetector>,
  newSeries: ReadonlyMap<string, number>,
): Promise<Record<string, number>> {
  const wanted = new Map<string, number>();
  for (const [projectId, series] of newSeries) {
    const places = MAX_SERIES - (detectors.get(projectId)?.seriesCount ?? 0);
    if (places > 0) wanted.set(projectId, Math.min(series, places));
  }
  if (wanted.size === 0) return {};
  const rooms = new Map<string, number>();
  const organizations = new Map<string, string>();
  for (const { organizationId, projectId, series } of await listSeriesOfOrganizations(database, [
    ...wanted.keys(),
  ])) {
    // The saved size of a project in memory is up to five minutes old.
    const taken = detectors.get(projectId)?.size ?? series;
    rooms.set(organizationId, (rooms.get(organizationId) ?? MAX_ORGANIZATION_SERIES) - taken);
    organizations.set(projectId, organizationId);
  }
  const limits: Record<string, number> = {};
  for (const [projectId, series] of wanted) {
    const organizationId = organizations.get(projectId);
    if (organizationId === undefined) continue;
    const room = Math.max(0, rooms.get(organizationId) ?? 0);
    const granted = Math.min(series, room);
    rooms.set(organizationId, room - granted);
    const detector = detectors.get(projectId);
    const most = granted < series ? (detector?.seriesCount ?? 0) + granted : MAX_SERIES;
    if (most !== (detector?.maxSeries ?? MAX_SERIES)) limits[projectId] = most;
  }
  return limits;
}
