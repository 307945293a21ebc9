import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { RELEASE, USER_NAME } from '../../releases/event-columns.ts';
import { eventCount } from '../event-count.ts';
import type { ReleaseCounts, ReleaseEvents, SharesRequest } from '../read-types.ts';
import { evaluatedSeverity, isOfSeries } from '../series-condition.ts';

/** Maximum newest events of the project that are read in each of the two compared times. */
const MAX_SCANNED = 20_000;
/** Minimum share of the errors that must name a user: then users are counted, else events. */
const MIN_NAMED_SHARE = 0.9;

/** Traffic that errors are compared with: other events of their source, or of the project if they have none. */
const IS_TRAFFIC = `${evaluatedSeverity('e')} < 'error' AND ($4::text IS NULL OR e.source = $4)`;
const CAPTURED_MS = `('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint`;
/** User of an event; null: it names none. An event without a correlation has its fingerprint in its place. */
const NAME = `coalesce(${USER_NAME}, nullif(correlation_id, fingerprint))`;

const scanned = (upTo: string) => `newest AS MATERIALIZED (
    SELECT id, type, severity, source, message, fingerprint, correlation_id, correlation, release, failed_payment,
      weight, ${isOfSeries('$3', 'events')} AS is_failed
    FROM events
    WHERE organization_id = $1 AND project_id = $2 AND id >= $5 ${upTo} AND ${isEvidence('$2')} ORDER BY id DESC LIMIT ${MAX_SCANNED}
  ), scanned AS MATERIALIZED (
    SELECT id, ${CAPTURED_MS} AS captured_ms, coalesce(${RELEASE}, '') AS release, ${NAME} AS name, is_failed, weight
    FROM (
      SELECT e.*, ${IS_TRAFFIC} AS is_traffic FROM newest AS e
    ) AS e WHERE is_failed OR is_traffic
  )`;

/**
 * The errors of a series and the other events beside them since a time, by release: units at risk in each slot, and
 * events. A unit that has failed with a release is no longer at risk with it. Events of a storm that were not kept are no
 * units: they are left out of all releases alike, and would be no further evidence.
 */
export async function countByRelease(
  database: Queryable,
  organizationId: string,
  request: SharesRequest,
): Promise<ReleaseCounts> {
  const { rows } = await database.query<ReleaseCounts>(
    `WITH ${scanned('')}, mode AS MATERIALIZED (
        SELECT coalesce(count(name) >= ${MIN_NAMED_SHARE} * count(*), false) AS is_by_user FROM scanned WHERE is_failed
      ), placed AS MATERIALIZED (
        SELECT release, CASE WHEN is_by_user THEN coalesce(name, id::text) ELSE id::text END AS unit,
          (captured_ms - $6::bigint) / $7::bigint AS slot, is_failed
        FROM scanned, mode WHERE release <> ''
      ), firsts AS (
        SELECT release, unit, min(slot) AS slot FROM placed WHERE is_failed GROUP BY 1, 2
      ), at_risk AS (
        SELECT active.slot, release, count(*) FILTER (WHERE firsts.slot = active.slot) AS failed,
          count(*) FILTER (WHERE firsts.slot IS DISTINCT FROM active.slot) AS others
        FROM (SELECT DISTINCT release, unit, slot FROM placed) AS active LEFT JOIN firsts USING (release, unit)
        WHERE firsts.slot IS NULL OR firsts.slot >= active.slot GROUP BY 1, 2
      ), counted AS (
        SELECT release, ${eventCount('is_failed')} AS failed, ${eventCount('NOT is_failed')} AS others,
          min(captured_ms) FILTER (WHERE is_failed) AS first_failed_ms
        FROM scanned GROUP BY 1
      )
      SELECT (SELECT is_by_user FROM mode) AS "isByUser",
        (SELECT coalesce(jsonb_agg(to_jsonb(at_risk)), '[]') FROM at_risk) AS slots,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('release', release, 'failed', failed, 'others', others,
          'firstFailedMs', first_failed_ms)), '[]') FROM counted) AS events,
        (SELECT ${CAPTURED_MS} FROM newest ORDER BY id DESC OFFSET ${MAX_SCANNED} - 1 LIMIT 1) AS "scannedFromMs"`,
    [...valuesOf(organizationId, request), request.fromMs, request.slotMs],
  );
  return rows[0] ?? { isByUser: false, slots: [], events: [], scannedFromMs: null };
}

/** The same events in a time before, by release; without those that name none. */
export async function countByReleaseBefore(
  database: Queryable,
  organizationId: string,
  request: SharesRequest,
  lengthMs: number,
): Promise<Omit<ReleaseEvents, 'firstFailedMs'>[]> {
  const { fromMs } = request;
  const { rows } = await database.query<Omit<ReleaseEvents, 'firstFailedMs'>>(
    `WITH ${scanned('AND id < $6')}
      SELECT release, count(*) FILTER (WHERE is_failed) AS failed, count(*) FILTER (WHERE NOT is_failed) AS others
      FROM scanned WHERE release <> '' GROUP BY 1`,
    [...valuesOf(organizationId, { ...request, fromMs: fromMs - lengthMs }), uuidLowerBound(fromMs)],
  );
  return rows;
}

function valuesOf(organizationId: string, { projectId, series, fromMs }: SharesRequest): unknown[] {
  return [organizationId, projectId, JSON.stringify([series]), series.source, uuidLowerBound(fromMs)];
}
