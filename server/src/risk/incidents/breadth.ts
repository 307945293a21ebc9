import type { Anomaly } from '@tocsin/detector';
import { SEVERITIES } from '../../events/severity.ts';
import {
  type AttachedAlarm,
  hasNumbers,
  MAX_ALSO_SERIES,
  type RiskSeries,
  readAttached,
  type StoredEvidence,
} from '../../incidents/schema.ts';
import { quote } from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { toBroadSentence } from './words.ts';
import { ratioOf } from './worse.ts';

/** Fewer are named one by one. */
export const MIN_SOURCES = 3;
/** What was attached so long before the headline is no part of the same moment. */
const AT_ONCE_MS = 5 * MINUTE_MS;

/** The evidence of a new headline to which all other series are attached, with a sentence that says how many sources they are of. */
export function sayBreadth<E extends StoredEvidence>(
  evidence: E,
  { series, anomaly }: { series: RiskSeries; anomaly: Anomaly },
): E {
  const breadth = describeBreadth(evidence);
  if (breadth === null) return evidence;
  return {
    ...evidence,
    sentence: toBroadSentence(breadth, { series, anomaly, sinceMs: Date.parse(evidence.from) }),
  };
}

/** "10 sources at once, worst `svc9`."; null where it is not broad. */
function describeBreadth(evidence: StoredEvidence): string | null {
  const rows = readAttached(evidence)
    .filter(hasNumbers)
    .filter(({ at }) => Math.abs(Date.parse(evidence.to) - Date.parse(at)) <= AT_ONCE_MS);
  const sources = countSources([evidence.series, ...rows]);
  if (sources < MIN_SOURCES) return null;
  const worst = evidence.series.source ?? worstOf(rows)?.source;
  const count = rows.length < MAX_ALSO_SERIES ? sources : `${sources} or more`;
  return `${count} sources at once${worst ? `, worst ${quote(worst)}` : ''}.`;
}

/** How many sources the series of an incident are of. */
export function countSources(all: RiskSeries[]): number {
  return new Set(all.flatMap(({ source }) => source ?? [])).size;
}

function worstOf(rows: AttachedAlarm[]): AttachedAlarm | undefined {
  const severityOf = ({ alarmSeverity }: AttachedAlarm) => SEVERITIES.indexOf(alarmSeverity);
  return rows
    .filter(({ source }) => source !== null)
    .toSorted((left, right) => severityOf(right) - severityOf(left) || ratioOf(right) - ratioOf(left))[0];
}
