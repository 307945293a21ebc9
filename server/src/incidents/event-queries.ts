import { EVENT_COLUMNS } from '../events/queries.ts';
import type { EventRow } from '../events/schema.ts';
import type { Queryable } from '../platform/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import type { IncidentRow, RiskSeries } from './schema.ts';

const HOUR_MS = 60 * 60_000;
/** An event may have been captured this long before it was received. */
const MAX_DELAY_MS = 7 * 24 * HOUR_MS;
/** Of a drop, what came before it is what there is to see. */
const BEFORE_DROP_MS = HOUR_MS;
/** Events that are looked through for those of a series, the newest ones. */
const LOOKED_THROUGH = 20_000;
const NEWEST = 1_000;

/** As the detector counts it: a failed payment is an error, whatever severity it is stored with. */
const SEVERITY = `CASE WHEN is_failed_payment(e.failed_payment, e.type, e.message)
  THEN greatest(e.severity, 'error') ELSE e.severity END`;

/** Whether an event belongs to one of the series in the JSON array $n; null is whatever it is, but for a source. */
const isOfSeries = (place: string) => `EXISTS (
  SELECT FROM jsonb_to_recordset(${place}::jsonb) AS s (kind text, type text, severity severity, source text,
    fingerprint text)
  WHERE (s.type IS NULL OR s.type = e.type) AND (s.fingerprint IS NULL OR s.fingerprint = e.fingerprint)
    AND (s.severity IS NULL OR s.severity = ${SEVERITY})
    AND (s.kind NOT IN ('errors', 'failed_payments') OR ${SEVERITY} >= 'error')
    AND (s.source = e.source OR s.source IS NULL AND (s.kind <> 'events' OR e.source IS NULL)))`;

/** The events of a risk incident's series, received from the beginning of its window until it was resolved. */
export async function listIncidentEvents(
  database: Queryable,
  organizationId: string,
  incident: IncidentRow,
  page: { cursor: string | null; limit: number },
): Promise<EventRow[]> {
  const { evidence, projectId, resolvedAt } = incident;
  if (!evidence) return [];
  const isDrop = evidence.rule === 'drop' || evidence.rule === 'silence';
  const fromMs = Date.parse(evidence.from) - (isDrop ? BEFORE_DROP_MS : 0);
  const { rows } = await database.query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events e
      WHERE organization_id = $1 AND project_id = $2 AND ${isOfSeries('$3')}
        AND received_at >= $4 AND received_at <= coalesce($5, 'infinity'::timestamptz)
        AND id >= $6 AND ($7::uuid IS NULL OR id < $7)
      ORDER BY id DESC LIMIT $8 + 1`,
    [
      organizationId,
      projectId,
      JSON.stringify([evidence.series, ...evidence.alsoSeries]),
      new Date(fromMs),
      resolvedAt,
      uuidLowerBound(fromMs - MAX_DELAY_MS),
      page.cursor,
      page.limit,
    ],
  );
  return rows;
}

export interface NewestEvent {
  id: string;
  correlationId: string;
  fingerprint: string;
}

/** The newest events of a series since a time: at most 1,000, found among the newest 20,000 of the project. */
export async function listNewestOfSeries(
  database: Queryable,
  organizationId: string,
  projectId: string,
  series: RiskSeries,
  since: Date,
): Promise<NewestEvent[]> {
  const { rows } = await database.query<NewestEvent>(
    `SELECT id, correlation_id AS "correlationId", fingerprint FROM (
        SELECT id, type, severity, source, message, fingerprint, correlation_id, failed_payment FROM events
        WHERE organization_id = $1 AND project_id = $2 AND id >= $4 ORDER BY id DESC LIMIT ${LOOKED_THROUGH}
      ) AS e WHERE ${isOfSeries('$3')} ORDER BY id DESC LIMIT ${NEWEST}`,
    [organizationId, projectId, JSON.stringify([series]), uuidLowerBound(since.getTime())],
  );
  return rows;
}
