import type { Queryable } from '../../database/database.ts';
import type { GroupRow } from '../../groups/schema.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { RiskSeries } from '../evidence-schema.ts';
import { countedEventsOf } from '../lead/lead.ts';
import { INCIDENT_COLUMNS } from '../queries.ts';
import type { IncidentRow } from '../rows.ts';

/** Of the project: those that are looked through, the newest first. */
const MAX_SCANNED = 500;
const MAX_LISTED = 20;

export type GroupIncidentRow = IncidentRow & { groupCount: number };

/** The newest incidents with events of a group among those that they are about, and how many these were. */
export async function listGroupIncidents(
  database: Queryable,
  organizationId: string,
  group: GroupRow,
): Promise<GroupIncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND origin = 'risk'
        AND (resolved_at IS NULL OR resolved_at >= $3)
      ORDER BY id DESC LIMIT ${MAX_SCANNED}`,
    [organizationId, group.projectId, group.firstSeen],
  );
  const about = rows.flatMap((incident) => {
    const counted = countedEventsOf(incident);
    if (!counted) return [];
    const { groupId, series, fromMs } = counted;
    const isItsGroup = groupId === null ? isAbout(series, group) : groupId === group.id;
    return isItsGroup ? [{ incident, fromMs }] : [];
  });
  const counts = await countWithin(database, organizationId, group.id, about);
  return about
    .map(({ incident }, index) => ({ ...incident, groupCount: counts[index] ?? 0 }))
    .filter(({ groupCount }) => groupCount > 0)
    .slice(0, MAX_LISTED);
}

/** As `listIncidentGroups` has it, but for series of everything, which are about no group. */
function isAbout({ kind, type, severity, source, fingerprint }: RiskSeries, group: GroupRow): boolean {
  if (kind === 'total' || kind === 'other') return false;
  const isError = group.severity === 'error' || group.severity === 'critical';
  return (
    (type === null || type === group.type) &&
    (fingerprint === null || fingerprint === group.fingerprint) &&
    (severity === null || severity === group.severity) &&
    ((kind !== 'errors' && kind !== 'failed_payments') || isError) &&
    (source === null ? kind !== 'events' || group.source === null : source === group.source)
  );
}

/** The events of a group, those of merged ones included, in the time of each incident: by the minute or hour in which it lies. */
async function countWithin(
  database: Queryable,
  organizationId: string,
  groupId: string,
  about: readonly { incident: IncidentRow; fromMs: number }[],
): Promise<number[]> {
  if (about.length === 0) return [];
  const { rows } = await database.query<{ count: number }>(
    `WITH family AS MATERIALIZED (
        SELECT id FROM groups WHERE organization_id = $1 AND (id = $2 OR merged_into = $2)
      )
      SELECT ((
        SELECT coalesce(sum(info + warn + error + critical), 0) FROM group_minutes
        WHERE group_id IN (SELECT id FROM family) AND minute >= date_trunc('minute', since, 'UTC')
          AND minute <= coalesce(until, 'infinity')
      ) + (
        SELECT coalesce(sum(info + warn + error + critical), 0) FROM group_hours
        WHERE group_id IN (SELECT id FROM family) AND hour >= since_hour AND hour <= coalesce(until, 'infinity')
      ))::bigint AS count
      FROM unnest($3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
        WITH ORDINALITY AS span (since, since_hour, until, place)
      ORDER BY place`,
    [
      organizationId,
      groupId,
      about.map(({ fromMs }) => new Date(fromMs)),
      about.map(({ fromMs }) => new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS)),
      about.map(({ incident }) => incident.resolvedAt),
    ],
  );
  return rows.map(({ count }) => count);
}
