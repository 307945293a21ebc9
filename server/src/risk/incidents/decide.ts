import type { DetectorEvent } from '@tocsin/detector';
import type { IncidentRow } from '../../incidents/rows.ts';
import { capitalize, nameOfSeries } from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { toSentence } from '../headline/words.ts';
import type { DecisionRow } from './decision.ts';
import { toLateSentence } from './late-words.ts';

const OUTCOMES = { opens: 'opened', attaches: 'joined', suppressed: 'suppressed' } as const;

/**
 * A detector event as the log of decisions stores it, so that the alerts page can explain why something opened no
 * incident.
 * @param shiftMs how far the detectors' time is ahead of the clocks
 */
export function decisionOf(
  verdict: DetectorEvent,
  incident: IncidentRow | null,
  { nowMs, shiftMs }: { nowMs: number; shiftMs: number },
): Omit<DecisionRow, 'id' | 'organizationId' | 'projectId'> {
  const nothing = { reason: null, observed: null, expected: null, windowSeconds: null };
  const about = { incidentId: incident?.id ?? null, decidedAt: new Date(nowMs) };
  if (verdict.kind === 'ends') {
    const outcome = incident?.status === 'investigating' ? 'left_open' : 'resolved';
    const sentence = 'Everything in this incident is back to normal.';
    return { ...nothing, ...about, outcome, series: null, sentence };
  }
  if (verdict.kind === 'late') {
    const { source, events } = verdict.late;
    return {
      ...nothing,
      ...about,
      outcome: 'suppressed',
      reason: 'late',
      series:
        source === undefined
          ? null
          : { kind: 'events', type: null, severity: null, source, fingerprint: null },
      sentence: toLateSentence(verdict.late),
      observed: events,
    };
  }
  const { series } = verdict;
  if (verdict.kind === 'detaches') {
    const sentence = `${capitalize(nameOfSeries(series))} are back to normal.`;
    return { ...nothing, ...about, outcome: 'closed', series, sentence };
  }
  const { anomaly } = verdict;
  return {
    ...about,
    outcome: OUTCOMES[verdict.kind],
    reason: verdict.kind === 'suppressed' ? verdict.reason : null,
    series,
    sentence: toSentence(series, anomaly, verdict.atMs - shiftMs - anomaly.windowMinutes * MINUTE_MS),
    observed: anomaly.observed,
    expected: anomaly.expected,
    windowSeconds: anomaly.windowMinutes * 60,
  };
}
