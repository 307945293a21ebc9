import type { SeriesGroup } from '../group/series-group.ts';
import { MAX_WARM_START_STEPS } from '../series/error-series.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { MINUTES_PER_DAY } from '../state/resolution.ts';
import { DOWN } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import type { Anomaly, Exposure } from './anomaly.ts';
import { ERRORS, isErrorSeries, TOTAL_INDEX } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import type { ShareMonitor } from './share-monitor.ts';

/** Maximum time between the last event of a name and the first one of the next name, in either order. */
const MAX_DISTANCE_MINUTES = 30;
/** Maximum logarithm of the ratio of their rates: from the half to the double. */
const MAX_LOG_RATIO = Math.log(2);
/** Minimum lead of the nearest rate over the next one: two alike are a split, and neither is the new name. */
const MIN_LEAD = 0.1;
/** Maximum time from the first errors of a new source to its traffic. */
const MAX_ERRORS_BEFORE_MINUTES = 60;

interface ProjectSources {
  registry: SeriesRegistry;
  group: SeriesGroup;
  shares: ShareMonitor;
}

/**
 * Returns the traffic beside a rise of errors, where it is known, and the time since the last event of missing ones.
 */
export function besideCounts(
  sources: ProjectSources,
  index: number,
  { side, observed, windowMinutes, heartbeat }: Anomaly,
  atMs: number,
): Partial<Pick<Anomaly, 'exposure' | 'sourceMinutes' | 'expected' | 'lastEventMinutesAgo'>> {
  const { registry } = sources;
  if (side === DOWN) {
    const lastMs = heartbeat ? null : registry.lastEventMsOf(index);
    return lastMs === null ? {} : { lastEventMinutesAgo: (atMs - lastMs) / MINUTE_MS };
  }
  if (!isErrorSeries(registry.seriesAt(index))) return {};
  const { sourceMinutes, exposure } = compareWithTraffic(sources, index, windowMinutes);
  if (sourceMinutes === null) return exposure ? { exposure } : {};
  if (!exposure) return { sourceMinutes };
  // The level of a new source expects none.
  const { events, failures, usualShare } = exposure;
  return { exposure, sourceMinutes, expected: (observed * usualShare * events) / Math.max(1, failures) };
}

/**
 * Compares errors of the last minutes with their traffic, those of a new source by the usual odds of other sources.
 * @returns minutes for which a new source is known, null for any other, and the comparison, null where no traffic is known
 */
function compareWithTraffic(
  sources: ProjectSources,
  index: number,
  minutes: number,
): { sourceMinutes: number | null; exposure: Exposure | null } {
  const series = sources.registry.seriesAt(index);
  const sourceMinutes = minutesOfNewSource(sources, series);
  const elsewhere = sourceMinutes === null ? null : usualOddsElsewhere(sources, series);
  return { sourceMinutes, exposure: sources.shares.compare(index, minutes, elsewhere) };
}

/**
 * Returns for how many minutes a source has sent traffic, where that is less than the day after which its own share of errors is
 * known; null for any other source, also one that has sent errors before, and in a project that is as young.
 */
function minutesOfNewSource({ registry, group }: ProjectSources, { source }: RiskSeries): number | null {
  if (source === null || group.series.read(TOTAL_INDEX).state.age < MINUTES_PER_DAY) return null;
  let [minutes, ofErrors] = [0, 0];
  for (const [index, series] of registry.all.entries()) {
    if (series.source !== source) continue;
    if (!isErrorSeries(series)) minutes = Math.max(minutes, group.series.read(index).state.age);
    // An error series may count as silent for so long before its first event.
    else ofErrors = Math.max(ofErrors, group.series.read(index).state.age - MAX_WARM_START_STEPS);
  }
  if (ofErrors > minutes + MAX_ERRORS_BEFORE_MINUTES) return null;
  return minutes > 0 && minutes < MINUTES_PER_DAY ? minutes : null;
}

/** Returns the errors for one event of other sources: of the same type, else of the whole project; null where none are known. */
function usualOddsElsewhere({ registry, shares }: ProjectSources, errors: RiskSeries): number | null {
  const ofType: number[] = [];
  for (const [index, { kind, type, severity, source }] of registry.all.entries()) {
    const isSame = type === errors.type && severity === errors.severity;
    if (kind === 'events' && isSame && source !== errors.source) ofType.push(index);
  }
  const sum = registry.indexOf(ERRORS);
  return shares.usualOddsOf(ofType) ?? (sum === null ? null : shares.usualOddsOf([sum]));
}

/** Traffic of a source, without its errors: a new name begins with none. */
interface SourceTraffic {
  types: Set<string | null>;
  minutesSinceFirst: number;
  events: number;
  /** Expected events a minute. */
  level: number;
}

/**
 * Returns the name that the source of a silent series may have been given; null for none. The whole source has to be over,
 * and another one to have begun at that time, with at least half of its types and at a similar rate: the most similar one.
 */
export function findNewName(
  sources: Pick<ProjectSources, 'registry' | 'group'>,
  index: number,
  atMs: number,
): string | null {
  const { registry } = sources;
  const { source } = registry.seriesAt(index);
  const silentMinutes = minutesSinceEnd(registry, index, atMs);
  if (source === null || silentMinutes === null) return null;
  const bySource = registry.trafficBySource();
  const indices = bySource.get(source);
  if (!indices) return null;
  const own = trafficOf(sources, indices);
  const candidates: { name: string; distance: number }[] = [];
  for (const [name, others] of bySource) {
    if (name === null || name === source) continue;
    const { minutesSinceFirst: minutes, events, types } = trafficOf(sources, others);
    const hasBegunThen = Math.abs(minutes - silentMinutes) <= MAX_DISTANCE_MINUTES;
    const shared = [...own.types].filter((type) => types.has(type)).length;
    const distance = Math.abs(Math.log(events / (minutes * own.level)));
    if (hasBegunThen && 2 * shared >= own.types.size && distance <= MAX_LOG_RATIO)
      candidates.push({ name, distance });
  }
  const [nearest, next] = candidates.toSorted((left, right) => left.distance - right.distance);
  if (!nearest || (next && next.distance - nearest.distance < MIN_LEAD)) return null;
  return nearest.name;
}

/** Returns the minutes since the last event of a source; null where it has sent since its silent series fell silent. */
function minutesSinceEnd(registry: SeriesRegistry, index: number, atMs: number): number | null {
  const { source } = registry.seriesAt(index);
  const ownMs = registry.lastEventMsOf(index);
  if (ownMs === null) return null;
  let lastMs = ownMs;
  for (const [other, series] of registry.all.entries())
    if (series.source === source) lastMs = Math.max(lastMs, registry.lastEventMsOf(other) ?? 0);
  const isOver = lastMs - ownMs <= MAX_DISTANCE_MINUTES * MINUTE_MS && 2 * (atMs - lastMs) >= atMs - ownMs;
  return isOver ? (atMs - lastMs) / MINUTE_MS : null;
}

function trafficOf(
  { registry, group }: Pick<ProjectSources, 'registry' | 'group'>,
  indices: number[],
): SourceTraffic {
  const traffic: SourceTraffic = { types: new Set(), minutesSinceFirst: 0, events: 0, level: 0 };
  for (const index of indices) {
    const tracked = group.series.read(index);
    traffic.types.add(registry.seriesAt(index).type);
    traffic.minutesSinceFirst = Math.max(traffic.minutesSinceFirst, tracked.state.age);
    traffic.events += tracked.rateOfWeek().events;
    traffic.level += tracked.state.level;
  }
  return traffic;
}
