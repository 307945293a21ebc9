import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { eventCount } from '../event-count.ts';
import { MORE_FINGERPRINT, mergedGroupIds } from '../group-queries.ts';
import type { GroupRangeCounts, RangesOfGroups, TimeRange } from '../read-types.ts';
import { isOfSeries, type SeriesCondition } from '../series-condition.ts';
import { SEVERITIES } from '../severities.ts';
import { bind } from '../where.ts';

/** Counts the events of ranges by their group, a row for each range in which a group has any. */
export async function countByGroup(
  database: Queryable,
  organizationId: string,
  { projectId, groupId = null, ranges, series }: RangesOfGroups,
): Promise<GroupRangeCounts[]> {
  if (ranges.length === 0) return [];
  const values: unknown[] = [organizationId, projectId];
  const isWanted =
    groupId === null
      ? `${COUNTED_GROUP} IS NOT NULL`
      : `${COUNTED_GROUP} = ANY (${mergedGroupIds(bind(values, [groupId]))})`;
  const parts = ranges.map((range) => countsOfEvents(range, { series, isWanted }, values));
  const { rows } = await database.query<GroupRangeCounts>(parts.join(' UNION ALL '), values);
  return rows;
}

/** SQL of the group that an event is counted in, before it is merged: that of its fingerprint, else the catch-all group. */
const COUNTED_GROUP = 'coalesce(own.group_id, more.group_id)';
/** Maximum newest events of a range that are compared with a field of the payload. */
const MAX_READ = 20_000;

/**
 * SQL of the counts of groups by the events of a range.
 * @param isWanted condition on the groups
 * @param series series to which the newest of them must belong as evidence; null: all are counted
 */
function countsOfEvents(
  { fromMs, toMs }: TimeRange,
  { series, isWanted }: { series: SeriesCondition | null; isWanted: string },
  values: unknown[],
): string {
  const ofSeverity = SEVERITIES.map(
    (severity) => `${eventCount(`e.severity = '${severity}'`)} AS ${severity}`,
  );
  const found = series
    ? `${isOfSeries(bind(values, JSON.stringify([series])), 'events')} AND ${isEvidence('$2')}`
    : 'true';
  return `SELECT ${COUNTED_GROUP} AS "groupId", ${ofSeverity.join(', ')}
    FROM (
      SELECT project_id, fingerprint, severity, weight, ${found} AS is_found FROM events
      WHERE organization_id = $1 AND project_id = $2
        AND id >= ${bind(values, uuidLowerBound(fromMs))}::uuid AND id < ${bind(values, uuidLowerBound(toMs))}::uuid
      ${series ? `ORDER BY id DESC LIMIT ${MAX_READ}` : ''}
    ) AS e
    LEFT JOIN group_fingerprints AS own ON own.project_id = e.project_id AND own.fingerprint = e.fingerprint
    LEFT JOIN group_fingerprints AS more ON more.project_id = e.project_id AND more.fingerprint = '${MORE_FINGERPRINT}'
    WHERE is_found AND ${isWanted} GROUP BY 1`;
}
