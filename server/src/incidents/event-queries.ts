import type { Queryable } from '../database/database.ts';
import { findEventPage } from '../events/page-queries.ts';
import type { EventPage, PageRequest } from '../events/reader.ts';
import type { Severity } from '../events/severity.ts';
import { all, bind, minutesWhere } from '../events/where.ts';
import { HOUR_MS } from '../platform/durations.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import type { RiskSeries } from './evidence-schema.ts';
import type { IncidentRow } from './rows.ts';
import { seriesBehind } from './series-behind.ts';

/** An event may have been captured this long before it was received. */
const MAX_DELAY_MS = 7 * 24 * HOUR_MS;
/** And this long after. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Of a drop, what came before it is what there is to see. */
const BEFORE_DROP_MS = HOUR_MS;
/** How many of the newest events are scanned for those of a series. */
const SCANNED_FIRST = 20_000;
const MAX_SCANNED = 100_000;
const NEWEST = 1_000;

/** As the detector counts it: a failed payment is an error, whatever severity it is stored with. */
export const SEVERITY = `CASE WHEN is_failed_payment(e.failed_payment, e.type, e.message)
  THEN greatest(e.severity, 'error') ELSE e.severity END`;

/** Whether an event belongs to one of the series in the JSON array $n; null matches any value, except for a source. */
export const isOfSeries = (place: string) => `EXISTS (
  SELECT FROM jsonb_to_recordset(${place}::jsonb) AS s (kind text, type text, severity severity, source text,
    fingerprint text)
  WHERE (s.type IS NULL OR s.type = e.type) AND (s.fingerprint IS NULL OR s.fingerprint = e.fingerprint)
    AND (s.severity IS NULL OR s.severity = ${SEVERITY})
    AND (s.kind NOT IN ('errors', 'failed_payments') OR ${SEVERITY} >= 'error')
    AND (s.source = e.source OR s.source IS NULL AND (s.kind <> 'events' OR e.source IS NULL)))`;

/** Whether a row of `event_counts` may count events of one of these series: of payments, any may have failed. */
const mayCountSeries = (place: string) => `EXISTS (
  SELECT FROM jsonb_to_recordset(${place}::jsonb) AS s (kind text, type text, severity severity, source text)
  WHERE (s.type IS NULL OR s.type = event_counts.type)
    AND (event_counts.type = 'payment' OR (s.severity IS NULL OR s.severity = event_counts.severity)
      AND (s.kind NOT IN ('errors', 'failed_payments') OR event_counts.severity >= 'error'))
    AND (s.source = event_counts.source
      OR s.source IS NULL AND (s.kind <> 'events' OR event_counts.source IS NULL)))`;

/** The events of a risk incident's series, received from the beginning of its window until it was resolved. */
export async function listIncidentEvents(
  database: Queryable,
  organizationId: string,
  incident: IncidentRow,
  page: PageRequest,
): Promise<EventPage> {
  const { evidence } = incident;
  if (!evidence) return { rows: [], next: null, scan: null };
  const { series, fromMs, isAbsence } = seriesBehind(evidence);
  const request = { incident, series, fromMs: fromMs - (isAbsence ? BEFORE_DROP_MS : 0), page };
  const newest = await listSeriesEvents(database, organizationId, request, 'newest');
  if (newest.scan === null) return newest;
  // A busy project may have stored many events since: the counts locate the series.
  return listSeriesEvents(database, organizationId, request, 'counted minutes');
}

interface SeriesRequest {
  incident: IncidentRow;
  series: RiskSeries[];
  fromMs: number;
  page: PageRequest;
}

async function listSeriesEvents(
  database: Queryable,
  organizationId: string,
  { incident: { projectId, resolvedAt }, series, fromMs, page }: SeriesRequest,
  among: 'newest' | 'counted minutes',
): Promise<EventPage> {
  const values: unknown[] = [organizationId, projectId, JSON.stringify(series)];
  const afterMs = fromMs - MAX_DELAY_MS - 1;
  const beforeMs = resolvedAt && resolvedAt.getTime() + MAX_AHEAD_MS + 1;
  const where = [
    'organization_id = $1',
    'project_id = $2',
    `id >= ${bind(values, uuidLowerBound(afterMs + 1))}`,
  ];
  if (beforeMs !== null) where.push(`id < ${bind(values, uuidLowerBound(beforeMs))}`);
  if (page.cursor !== null) where.push(`id < ${bind(values, page.cursor)}`);
  const counted = ['organization_id = $1', 'project_id = $2', mayCountSeries('$3')];
  const events =
    among === 'counted minutes'
      ? `${minutesWhere(counted, { afterMs, beforeMs, cursor: page.cursor, limit: null }, values)} CROSS JOIN LATERAL (
        SELECT * FROM events WHERE ${all(where)} AND id >= minutes.first_id AND id < minutes.end_id
        ORDER BY id DESC
      ) AS e`
      : `events e WHERE ${all(where)} ORDER BY id DESC`;
  // The cheap ones first: most of what is scanned was received before, and is compared with no series.
  const filter = [
    `received_at >= ${bind(values, new Date(fromMs))}`,
    `received_at <= coalesce(${bind(values, resolvedAt)}, 'infinity'::timestamptz)`,
    isOfSeries('$3'),
  ];
  const limit = among === 'newest' ? SCANNED_FIRST : MAX_SCANNED;
  return findEventPage(database, { events, filter, limit }, page, values);
}

export interface NewestEvent {
  id: string;
  correlationId: string;
  fingerprint: string;
  type: string;
  severity: Severity;
  source: string | null;
}

/** The newest events of a series since a time: at most 1,000, found among the newest 20,000 of the project. */
export async function listNewestOfSeries(
  database: Queryable,
  organizationId: string,
  { projectId, series }: { projectId: string; series: RiskSeries },
  since: Date,
): Promise<NewestEvent[]> {
  const { rows } = await database.query<NewestEvent>(
    `SELECT id, correlation_id AS "correlationId", fingerprint, type, ${SEVERITY} AS severity, source FROM (
        SELECT id, type, severity, source, message, fingerprint, correlation_id, failed_payment FROM events
        WHERE organization_id = $1 AND project_id = $2 AND id >= $4 ORDER BY id DESC LIMIT ${SCANNED_FIRST}
      ) AS e WHERE ${isOfSeries('$3')} ORDER BY id DESC LIMIT ${NEWEST}`,
    [organizationId, projectId, JSON.stringify([series]), uuidLowerBound(since.getTime())],
  );
  return rows;
}
