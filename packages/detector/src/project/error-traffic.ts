import type { SeriesGroup } from '../group/series-group.ts';
import { ERRORS, isErrorSeries, TOTAL_INDEX } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import type { ShareMonitor, Trials } from './share-monitor.ts';

/** Minimum traffic a minute of a share of errors, which costs 600 bytes. */
const MIN_LEVEL = 0.5;

/**
 * Sets the shares of all errors in the running step: the errors of a series among them and the traffic of its source,
 * which is the events of severity info and warn. A source without any, and the sum of all errors, have the traffic of the
 * project.
 */
export function setErrorShares(
  shares: ShareMonitor,
  { registry, group }: { registry: SeriesRegistry; group: SeriesGroup },
  stepMs: number,
): void {
  const errors = registry.indexOf(ERRORS);
  if (errors === null) return;
  const bySource = registry.trafficBySource();
  const ofProject = Math.max(0, group.countOf(TOTAL_INDEX) - group.countOf(errors));
  const levelOfProject = () => group.levelOf(TOTAL_INDEX) - group.levelOf(errors);
  const countOf = once((indices) => sumOf(indices, (index) => group.countOf(index)));
  const mayHaveShare = once((indices) => isEnough(group, indices));
  for (const [index, series] of registry.all.entries()) {
    if (!isErrorSeries(series)) continue;
    const own = index === errors ? undefined : bySource.get(series.source);
    const trials: Trials = own ? 'traffic of source' : 'traffic of project';
    if (!shares.has(index) && !(own ? mayHaveShare(own) : levelOfProject() >= MIN_LEVEL)) continue;
    const failures = group.countOf(index);
    const others = own ? countOf(own) : ofProject;
    shares.set(index, stepMs, trials, { failures, trials: failures + others });
  }
}

/** True if a source is expected to send as much as a share needs. Upper bounds of its levels often show that it is not. */
function isEnough(group: SeriesGroup, indices: number[]): boolean {
  if (sumOf(indices, (index) => group.series.mostLevelOf(index)) < MIN_LEVEL) return false;
  return sumOf(indices, (index) => group.levelOf(index)) >= MIN_LEVEL;
}

/** Returns the function with its values kept by list: a source may have hundreds of series of traffic, and as many of errors. */
function once<Value>(valueOf: (indices: number[]) => Value): (indices: number[]) => Value {
  const known = new Map<number[], Value>();
  return (indices) => {
    const value = known.get(indices) ?? valueOf(indices);
    known.set(indices, value);
    return value;
  };
}

function sumOf(indices: number[], valueOf: (index: number) => number): number {
  return indices.reduce((sum, index) => sum + valueOf(index), 0);
}
