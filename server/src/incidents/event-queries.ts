import type { Queryable } from '../database/database.ts';
import { isEvidence } from '../environments/numbers.ts';
import { evaluatedSeverity, isOfSeries } from '../events/series-condition.ts';
import type { Severity } from '../events/severity.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import type { RiskSeries } from './evidence-schema.ts';

/** Number of the newest events that are scanned for those of a series. */
const SCANNED = 20_000;
const NEWEST = 1_000;

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
    `SELECT id, correlation_id AS "correlationId", fingerprint, type, ${evaluatedSeverity('e')} AS severity, source FROM (
        SELECT id, type, severity, source, fingerprint, correlation_id, failed_payment, ${isOfSeries('$3', 'events')} AS is_found
        FROM events WHERE organization_id = $1 AND project_id = $2 AND id >= $4 AND ${isEvidence('$2')} ORDER BY id DESC LIMIT ${SCANNED}
      ) AS e WHERE is_found ORDER BY id DESC LIMIT ${NEWEST}`,
    [organizationId, projectId, JSON.stringify([series]), uuidLowerBound(since.getTime())],
  );
  return rows;
}
