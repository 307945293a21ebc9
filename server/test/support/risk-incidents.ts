import type { Pool } from '../../src/database/database.ts';
import type { AttachedSeries, RiskSeries } from '../../src/incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../src/incidents/stored-evidence.ts';
import { insertIncident } from '../../src/incidents/write-queries.ts';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { newUuid, toId, toUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';

const ERRORS: RiskSeries = { kind: 'errors', type: null, severity: null, source: null, fingerprint: null };

/** Evidence of a rise of the errors of a project in one minute. */
function anEvidence(fromMs: number, changes: Partial<StoredEvidence> = {}): StoredEvidence {
  return {
    sentence: 'Errors are up.',
    rule: 'rise',
    series: ERRORS,
    observed: 20,
    expected: 2,
    windowSeconds: 60,
    from: isoTime(fromMs),
    to: isoTime(fromMs + MINUTE_MS),
    falseAlarmsPerWeek: null,
    exposure: null,
    escalation: null,
    group: null,
    release: null,
    alsoSeries: [],
    sampleEventIds: [],
    correlationIds: [],
    ...changes,
  };
}

/** A series that joined an incident at its beginning. */
export function anAttachedSeries(fromMs: number, series: RiskSeries): AttachedSeries {
  return {
    ...series,
    rule: 'at_least',
    alarmSeverity: 'error',
    observed: 20,
    expected: 2,
    peak: 20,
    windowSeconds: 60,
    from: isoTime(fromMs),
    at: isoTime(fromMs),
    exposure: null,
    message: null,
  };
}

interface RiskIncident {
  title?: string;
  fromMs: number;
  /** Unset: it is open. */
  resolvedMs?: number;
  eventCount?: number;
  previousId?: string | null;
  evidence?: Partial<StoredEvidence>;
}

/** Stores an incident as the detector opens it. @returns its id */
export async function insertRiskIncident(
  pool: Pool,
  project: { organizationId: string; id: string },
  {
    title = 'Errors',
    fromMs,
    resolvedMs,
    eventCount = 1,
    previousId = null,
    evidence: changes,
  }: RiskIncident,
): Promise<string> {
  const id = newUuid(fromMs);
  const evidence = anEvidence(fromMs, changes);
  await insertIncident(pool, {
    id,
    organizationId: toUuid('org', project.organizationId) ?? '',
    projectId: toUuid('proj', project.id) ?? '',
    title,
    titleOrigin: 'generated',
    severity: 'error',
    status: resolvedMs === undefined ? 'open' : 'resolved',
    origin: 'risk',
    eventCount,
    evidence,
    type: evidence.series.type,
    source: evidence.series.source,
    previousIncidentId: previousId && toUuid('inc', previousId),
    riskNumber: null,
    investigatorId: null,
    scheduleId: null,
    links: [],
    createdAt: new Date(fromMs),
    updatedAt: new Date(fromMs),
    resolvedAt: resolvedMs === undefined ? null : new Date(resolvedMs),
  });
  return toId('inc', id);
}
