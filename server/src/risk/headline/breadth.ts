import type { Anomaly } from '@tocsin/detector';
import type { NewestEvent } from '../../events/read-types.ts';
import { SEVERITIES } from '../../events/severities.ts';
import { type AttachedSeries, MAX_ALSO_SERIES, type RiskSeries } from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { quote } from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { changedSourcesOf, countSources, MIN_SOURCES, namedSeriesOf, sourcesOf } from './places.ts';
import { ratioOf } from './ranking.ts';
import { type Breadth as BroadWords, toBroadSentence } from './words.ts';

/** Number of sources that several alarms come from, with their names. */
interface Breadth extends BroadWords {
  sources: string[];
}

/** A series that was attached earlier than this before the headline does not belong to the same moment. */
const AT_ONCE_MS = 5 * MINUTE_MS;

/** The sentence of a new lead that counts the sources of all attached series; empty if they are too few. */
export function describeBreadth(
  evidence: StoredEvidence,
  alarm: OpenedAlarm,
  newestEvents: NewestEvent[],
): Pick<StoredEvidence, 'sentence' | 'countedSources'> | Record<string, never> {
  const { anomaly } = alarm;
  const series = namedSeriesOf(alarm, newestEvents);
  const breadth = isTrouble(series, anomaly)
    ? (describeTrouble(evidence) ?? describeSources(changedSourcesOf(alarm, newestEvents), anomaly))
    : describeTraffic(evidence);
  if (breadth === null) return {};
  const { to, lead = null } = evidence;
  const described = { series, anomaly, times: { toMs: Date.parse(to), lead } };
  return { sentence: toBroadSentence(breadth, described), countedSources: breadth.sources };
}

/**
 * False for more traffic, or errors in proportion to it, which are no outage: its breadth says less than its size.
 */
function isTrouble(
  { kind, severity }: RiskSeries,
  { rule, exposure }: Pick<Anomaly, 'rule'> & Partial<Pick<AttachedSeries, 'exposure'>>,
): boolean {
  if (rule !== 'rise' && rule !== 'at_least' && rule !== 'above_share') return true;
  return (kind === 'errors' || severity === 'error' || severity === 'critical') && !exposure?.isInProportion;
}

/** "10 sources at once, worst `svc9`."; null if there are too few. */
function describeTrouble(evidence: StoredEvidence): Breadth | null {
  const rows = attachedAtOnce(evidence).filter((row) => isTrouble(row, row));
  const worst = evidence.series.source ?? worstOf(rows)?.source;
  const count = describeCount(evidence, rows);
  if (count === null) return null;
  const sources = sourcesOf([evidence.series, ...rows]);
  return { text: `${count} at once${worst ? `, worst ${quote(worst)}` : ''}.`, comesFirst: true, sources };
}

/** The same for a sum, by its events: its parts may have opened no alarms of their own. */
function describeSources(sources: string[], { windowMinutes }: Anomaly): Breadth | null {
  const [worst] = sources;
  if (worst === undefined || sources.length < MIN_SOURCES) return null;
  const atOnce = windowMinutes * MINUTE_MS <= AT_ONCE_MS ? ' at once' : '';
  return { text: `${sources.length} sources${atOnce}, worst ${quote(worst)}.`, comesFirst: true, sources };
}

/** "3 sources, most in `api`."; null if there are too few. */
function describeTraffic(evidence: StoredEvidence): Breadth | null {
  const rows = attachedAtOnce(evidence).filter(({ rule }) => rule === 'rise');
  const [most] = [evidence, ...rows]
    .map(({ observed, windowSeconds, ...each }) => ({
      source: 'series' in each ? each.series.source : each.source,
      perSecond: observed / windowSeconds,
    }))
    .filter(({ source }) => source !== null)
    .toSorted((left, right) => right.perSecond - left.perSecond);
  const count = describeCount(evidence, rows);
  if (count === null) return null;
  const sources = sourcesOf([evidence.series, ...rows]);
  return {
    text: `${count}${most?.source ? `, most in ${quote(most.source)}` : ''}.`,
    comesFirst: false,
    sources,
  };
}

function attachedAtOnce(evidence: StoredEvidence): AttachedSeries[] {
  return evidence.alsoSeries.filter(
    ({ at }) => Math.abs(Date.parse(evidence.to) - Date.parse(at)) <= AT_ONCE_MS,
  );
}

/** "10 sources"; null if there are too few. */
function describeCount(evidence: StoredEvidence, rows: AttachedSeries[]): string | null {
  const sources = countSources([evidence.series, ...rows]);
  if (sources < MIN_SOURCES) return null;
  return `${rows.length < MAX_ALSO_SERIES ? sources : `${sources} or more`} sources`;
}

function worstOf(rows: AttachedSeries[]): AttachedSeries | undefined {
  const severityOf = ({ alarmSeverity }: AttachedSeries) => SEVERITIES.indexOf(alarmSeverity);
  return rows
    .filter(({ source }) => source !== null)
    .toSorted((left, right) => severityOf(right) - severityOf(left) || ratioOf(right) - ratioOf(left))[0];
}
