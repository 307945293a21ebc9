import type { DetectorEvent, LateReport } from '@tocsin/detector';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { capitalize, nameOfSeries, quote } from '../../incidents/wording.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { toSentence } from '../headline/words.ts';
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

const OUTCOMES = { opens: 'opened', attaches: 'joined', suppressed: 'suppressed' } as const;

/**
 * A detector event as the log of decisions stores it, so that the alerts page can explain why something opened no
 * incident.
 * @param shiftMs how far the detectors' time is ahead of the clocks
 */
export function decisionOf(
  event: DetectorEvent,
  incident: IncidentRow | null,
  { nowMs, shiftMs }: { nowMs: number; shiftMs: number },
): Omit<DecisionRow, 'id' | 'organizationId' | 'projectId'> {
  const nothing = { reason: null, observed: null, expected: null, windowSeconds: null };
  const about = { incidentId: incident?.id ?? null, decidedAt: new Date(nowMs) };
  if (event.kind === 'ends') {
    const outcome = incident?.status === 'investigating' ? 'left_open' : 'resolved';
    const sentence = 'Everything in this incident is back to normal.';
    return { ...nothing, ...about, outcome, series: null, sentence };
  }
  if (event.kind === 'late') {
    const { source, events } = event.late;
    return {
      ...nothing,
      ...about,
      outcome: 'suppressed',
      reason: 'late',
      series:
        source === undefined
          ? null
          : { kind: 'events', type: null, severity: null, source, fingerprint: null },
      sentence: toLateSentence(event.late),
      observed: events,
    };
  }
  const { series } = event;
  if (event.kind === 'detaches') {
    const sentence = `${capitalize(nameOfSeries(series))} are back to normal.`;
    return { ...nothing, ...about, outcome: 'closed', series, sentence };
  }
  const { anomaly } = event;
  return {
    ...about,
    outcome: OUTCOMES[event.kind],
    reason: event.kind === 'suppressed' ? event.reason : null,
    series,
    sentence: toSentence(series, anomaly, { toMs: event.atMs - shiftMs, lead: null }),
    observed: anomaly.observed,
    expected: anomaly.expected,
    windowSeconds: anomaly.windowMinutes * 60,
  };
}

/** Explains why events that arrived long after they were captured opened no incident. */
function toLateSentence(report: LateReport): string {
  const { events, fromMs, toMs } = report;
  const [from, to] = [minuteText(fromMs), minuteText(toMs)];
  const captured = from === to ? `at ${from} UTC` : `from ${from} to ${to} UTC`;
  const noun = events === 1 ? 'event' : 'events';
  const verb = events === 1 ? 'was' : 'were';
  return `${events.toLocaleString('en')} ${noun} ${sourceOf(report)} ${verb} captured ${captured}, more than 5 minutes before ${events === 1 ? 'it' : 'they'} arrived. Stored and charted, but not used for detection.`;
}

function sourceOf({ source }: LateReport): string {
  if (source === undefined) return 'from other sources';
  return source === null ? 'without a source' : `from ${quote(source)}`;
}

function minuteText(timeMs: number): string {
  return isoTime(timeMs).slice(0, 16).replace('T', ' ');
}
