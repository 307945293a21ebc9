import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { Decision, DecisionOutcome, Suppression } from './schema.ts';

/** A decision as the database stores it; all ids are UUIDs. */
export interface DecisionRow {
  id: string;
  organizationId: string;
  projectId: string;
  incidentId: string | null;
  outcome: DecisionOutcome;
  reason: Suppression | null;
  series: RiskSeries | null;
  sentence: string;
  observed: number | null;
  expected: number | null;
  windowSeconds: number | null;
  decidedAt: Date;
}

export function toDecision(row: DecisionRow): Decision {
  return {
    id: toId('dec', row.id),
    at: isoTime(row.decidedAt),
    outcome: row.outcome,
    reason: row.reason,
    sentence: row.sentence,
    series: row.series,
    observed: row.observed,
    expected: row.expected,
    windowSeconds: row.windowSeconds,
    incidentId: row.incidentId && toId('inc', row.incidentId),
  };
}
