import { severityOfAlarm, UP } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { listNewestOfSeries } from '../../incidents/event-queries.ts';
import { type Evidence, type JoinedSeries, MAX_ALSO_SERIES } from '../../incidents/schema.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { spanOf, type Told } from './plan-incidents.ts';
import { toShownNumber } from './shown-number.ts';
import { toSentence } from './words.ts';

/** UUIDs, and how far the detectors' time is ahead of the clocks. */
export interface ProjectContext {
  organizationId: string;
  projectId: string;
  shiftMs: number;
}

const SAMPLES = 10;
const CORRELATION_IDS = 5;
/** Before a silence, what came last is what tells most. */
const BEFORE_SILENCE_MS = 24 * 60 * 60_000;

/** What speaks for an incident, with the newest events behind it and whom they hit. */
export async function gatherEvidence(
  database: Queryable,
  { organizationId, projectId, shiftMs }: ProjectContext,
  lead: Told,
  told: Told[],
  nowMs: number,
): Promise<Evidence> {
  const { series, finding } = lead;
  const { fromMs, toMs } = spanOf({ ...lead, atMs: lead.atMs - shiftMs }, nowMs);
  const sinceMs = finding.side === UP ? fromMs : fromMs - BEFORE_SILENCE_MS;
  const newest = await listNewestOfSeries(database, organizationId, projectId, series, new Date(sinceMs));
  const joined = told
    .filter((other) => other !== lead)
    .map((other) => toJoined(other, shiftMs, nowMs))
    .slice(0, MAX_ALSO_SERIES);
  return {
    sentence: toSentence(series, finding),
    rule: finding.rule,
    series,
    observed: toShownNumber(finding.observed),
    expected: toShownNumber(finding.expected),
    windowSeconds: Math.round(finding.windowMinutes * 60),
    from: isoTime(fromMs),
    to: isoTime(toMs),
    chanceAWeek: finding.chanceAWeek,
    alsoSeries: joined.map((other) => other.series),
    joined,
    sampleEventIds: newest.slice(0, SAMPLES).map(({ id }) => toId('evt', id)),
    correlationIds: countCorrelations(newest),
  };
}

export function toJoined(told: Told, shiftMs: number, nowMs: number): JoinedSeries {
  const { series, finding, atMs } = told;
  const { fromMs, toMs } = spanOf({ finding, atMs: atMs - shiftMs }, nowMs);
  const observed = toShownNumber(finding.observed);
  return {
    series,
    rule: finding.rule,
    severity: severityOfAlarm(series, finding),
    observed,
    expected: toShownNumber(finding.expected),
    peak: observed,
    windowSeconds: Math.round(finding.windowMinutes * 60),
    from: isoTime(fromMs),
    at: isoTime(toMs),
  };
}

/** Without a correlation the events are grouped by their fingerprint: that is the fault, and nobody hit by it. */
function countCorrelations(
  events: { correlationId: string; fingerprint: string }[],
): Evidence['correlationIds'] {
  const counts = new Map<string, number>();
  for (const { correlationId, fingerprint } of events) {
    if (correlationId !== fingerprint) counts.set(correlationId, (counts.get(correlationId) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((left, right) => right[1] - left[1])
    .slice(0, CORRELATION_IDS)
    .map(([correlationId, events]) => ({ correlationId, events }));
}
