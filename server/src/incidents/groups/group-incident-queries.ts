import type { Queryable } from '../../database/database.ts';
import { mergedGroupIds } from '../../events/group-queries.ts';
import type { GroupRow } from '../../groups/group-row.ts';
import { hourOf, isoTime } from '../../platform/time.ts';
import type { RiskSeries } from '../evidence-schema.ts';
import { countedEventsOf } from '../lead.ts';
import { INCIDENT_COLUMNS } from '../queries.ts';
import type { IncidentRow } from '../rows.ts';
import { isFailedPayment } from './group-queries.ts';

/** Maximum scanned incidents of the project, the newest first. */
const MAX_SCANNED = 500;
const MAX_LISTED = 20;

export type GroupIncidentRow = IncidentRow & { groupCount: number };

/** A group that counts as one with another. */
type Member = Pick<GroupRow, 'id' | 'type' | 'source' | 'severity' | 'fingerprint'>;

/** The newest incidents that count events of a group, and the number of these events. */
export async function listGroupIncidents(
  database: Queryable,
  organizationId: string,
  group: GroupRow,
): Promise<GroupIncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND evidence IS NOT NULL
        AND (resolved_at IS NULL OR resolved_at >= $3)
      ORDER BY id DESC LIMIT ${MAX_SCANNED}`,
    [organizationId, group.projectId, group.firstSeen],
  );
  const members = await listMembers(database, organizationId, group.id);
  const about = rows.flatMap((incident) => {
    const counted = countedEventsOf(incident);
    if (!counted) return [];
    const { groupId, series, fromMs } = counted;
    // All events of the group that leads are counted already.
    const isLed = groupId !== null && members.some(({ id }) => id === groupId);
    const groupIds =
      groupId === null ? members.filter((one) => isAbout(series, one)).map(({ id }) => id) : [];
    return isLed || groupIds.length > 0 ? [{ incident, fromMs, groupIds, isLed }] : [];
  });
  const counts = await countWithin(database, about);
  return about
    .map(({ incident, isLed }, index) => ({
      ...incident,
      groupCount: isLed ? incident.eventCount : (counts[index] ?? 0),
    }))
    .filter(({ groupCount }) => groupCount > 0)
    .slice(0, MAX_LISTED);
}

/** The group, and the groups merged into it. */
async function listMembers(database: Queryable, organizationId: string, groupId: string): Promise<Member[]> {
  const { rows } = await database.query<Member>(
    `SELECT id, type, source, fingerprint,
        CASE WHEN ${isFailedPayment('g')} THEN greatest(severity, 'error') ELSE severity END AS severity
      FROM groups AS g WHERE id = ANY (${mergedGroupIds('ARRAY[$2::uuid]')})`,
    [organizationId, groupId],
  );
  return rows;
}

/** The condition of `listIncidentGroups`. */
function isAbout({ kind, type, severity, source, fingerprint, field }: RiskSeries, group: Member): boolean {
  // No count of a group tells events apart by their payload.
  if (field) return false;
  const isError = group.severity === 'error' || group.severity === 'critical';
  return (
    (type === null || type === group.type) &&
    (fingerprint === null || fingerprint === group.fingerprint) &&
    (severity === null || severity === group.severity) &&
    ((kind !== 'errors' && kind !== 'failed_payments') || isError) &&
    (source === null ? kind !== 'events' || group.source === null : source === group.source)
  );
}

/** Counts the events of groups in the time of each incident: by the minute or hour in which it lies. */
async function countWithin(
  database: Queryable,
  about: readonly { incident: IncidentRow; fromMs: number; groupIds: string[] }[],
): Promise<number[]> {
  if (about.length === 0) return [];
  const { rows } = await database.query<{ count: number }>(
    `SELECT ((
        SELECT coalesce(sum(info + warn + error + critical), 0) FROM group_minutes
        WHERE group_id = ANY (groups) AND minute >= date_trunc('minute', since, 'UTC')
          AND minute <= coalesce(until, 'infinity')
      ) + (
        SELECT coalesce(sum(info + warn + error + critical), 0) FROM group_hours
        WHERE group_id = ANY (groups) AND hour >= since_hour AND hour <= coalesce(until, 'infinity')
      ))::bigint AS count
      FROM jsonb_to_recordset($1::jsonb)
        AS span (groups uuid[], since timestamptz, since_hour timestamptz, until timestamptz, place int)
      ORDER BY place`,
    [
      JSON.stringify(
        about.map(({ incident, fromMs, groupIds }, place) => ({
          place,
          groups: groupIds,
          since: isoTime(fromMs),
          since_hour: isoTime(hourOf(fromMs)),
          until: incident.resolvedAt && isoTime(incident.resolvedAt),
        })),
      ),
    ],
  );
  return rows.map(({ count }) => count);
}
