import type { SeriesGroup } from '../group/series-group.ts';
import { MINUTES_PER_DAY } from '../state/resolution.ts';
import type { RiskSeries } from '../types.ts';
import type { Exposure } from './anomaly.ts';
import { ERRORS, isErrorSeries, TOTAL_INDEX } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import type { ShareMonitor } from './share-monitor.ts';

interface ProjectSources {
  registry: SeriesRegistry;
  group: SeriesGroup;
  shares: ShareMonitor;
}

/**
 * Compares errors of the last minutes with their traffic: those of a new source by what is usual elsewhere.
 * @returns for how long a new source is known, null for any other, and the comparison, null where no traffic is known
 */
export function compareWithTraffic(
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
 * For how many minutes a source has sent traffic, where that is less than the day after which its own share of errors is
 * known; null for any other source, and in a project that is as young.
 */
function minutesOfNewSource({ registry, group }: ProjectSources, { source }: RiskSeries): number | null {
  if (source === null || group.ageOf(TOTAL_INDEX) < MINUTES_PER_DAY) return null;
  let minutes = 0;
  for (let index = 0; index < registry.size; index++) {
    const series = registry.seriesAt(index);
    if (series.source === source && !isErrorSeries(series)) minutes = Math.max(minutes, group.ageOf(index));
  }
  return minutes > 0 && minutes < MINUTES_PER_DAY ? minutes : null;
}

/** Errors for one event of the other sources: of the same type, else of the whole project; null where none are known. */
function usualOddsElsewhere({ registry, shares }: ProjectSources, errors: RiskSeries): number | null {
  const ofType: number[] = [];
  for (let index = 0; index < registry.size; index++) {
    const { kind, type, severity, source } = registry.seriesAt(index);
    const isSame = type === errors.type && severity === errors.severity;
    if (kind === 'events' && isSame && source !== errors.source) ofType.push(index);
  }
  const sum = registry.indexOf(ERRORS);
  return shares.usualOddsOf(ofType) ?? (sum === null ? null : shares.usualOddsOf([sum]));
}
