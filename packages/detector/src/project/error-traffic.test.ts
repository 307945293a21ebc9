import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { SeriesGroup } from '../group/series-group.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { setErrorShares } from './error-traffic.ts';
import { ERRORS, TOTAL } from './series-key.ts';
import { SeriesRegistry } from './series-registry.ts';
import { ShareMonitor } from './share-monitor.ts';

const KINDS = 40;
const MINUTES = 5;

/** A group that notes how often its counts and levels are read. */
class WatchedGroup extends SeriesGroup {
  countsRead = 0;
  levelsRead = 0;

  override countOf(index: number): number {
    this.countsRead++;
    return super.countOf(index);
  }

  override levelOf(index: number): number {
    this.levelsRead++;
    return super.levelOf(index);
  }
}

/** Returns a project with so many types of a source, each with an event of traffic and an error in each minute. */
function projectOfOneSource() {
  const group = new WatchedGroup(1, 1);
  const registry = new SeriesRegistry(group, { mayReplace: () => false, onReplaced: () => undefined });
  registry.ensure(TOTAL);
  registry.ensure(ERRORS);
  for (let kind = 0; kind < KINDS; kind++) {
    for (const severity of ['info', 'error'] as const) {
      const delta = { type: `kind ${kind}`, severity, source: 'web', count: 1 };
      registry.ensureForEvents({ ...delta, bucketMs: START_MS, lastMs: START_MS }, false);
    }
  }
  for (let minute = 0; minute < MINUTES; minute++) {
    for (const index of group.series.indices()) group.count(index, 1);
    group.endStep(START_MS + minute * MINUTE_MS, true, () => undefined);
  }
  return { group, registry };
}

describe('the shares of errors in the traffic of a source', () => {
  it('reads each series of traffic once, however many error series its source has', () => {
    const { group, registry } = projectOfOneSource();
    const shares = new ShareMonitor();
    setErrorShares(shares, { registry, group }, START_MS + MINUTES * MINUTE_MS);
    // The sums of the project are read as well.
    expect(group.countsRead).toBeLessThanOrEqual(registry.size + 2);
    expect(group.levelsRead).toBeLessThanOrEqual(registry.size + 2);
    const withShare = registry.all.filter((_, index) => shares.has(index));
    expect(withShare.filter(({ kind }) => kind === 'events')).toHaveLength(KINDS);
  });
});
