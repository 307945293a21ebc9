import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { DOWN } from '../state/side.ts';
import { opened, SimulatedSeries } from './testing.ts';

const WEEK = 10_080;

/** Counts of which a share is zero, at random. */
function zeroInflated(seed: number, mean: number, share: number) {
  const random = new Random(seed);
  return () => (random.uniform() < share ? 0 : random.poisson(mean / (1 - share)));
}

function runCounts(series: SimulatedSeries, minutes: number, draw: () => number): void {
  for (let minute = 0; minute < minutes; minute++) series.step(draw());
}

const drops = (series: SimulatedSeries) => opened(series.changes).filter((change) => change.side === DOWN);

describe('a stream with empty minutes', () => {
  it.each([0.2, 0.35, 0.5])(
    'opens no more than two alarms a week for the empty minutes of a stream of which a share of %d is empty',
    (share) => {
      const series = new SimulatedSeries(1);
      const weeks = rounds(1, 3);
      runCounts(series, weeks * WEEK, zeroInflated(Math.round(100 * share), 120, share));
      expect(drops(series).length).toBeLessThanOrEqual(2 * weeks);
    },
  );

  it('finds the silence of a stream of which a third of the minutes is empty within 25 minutes', () => {
    const series = new SimulatedSeries(1);
    runCounts(series, WEEK, zeroInflated(5, 120, 0.35));
    const silentFrom = series.minute;
    runCounts(series, 60, () => 0);
    const [found] = series.changes.filter(({ kind, side }) => kind === 'opens' && side === DOWN);
    expect(found?.minute).toBeLessThan(silentFrom + 25);
  });

  it('finds the second minute of silence in a day as it found the first', () => {
    const series = new SimulatedSeries(4);
    series.run(3 * 1_440, 100);
    series.run(1, 0);
    series.run(300, 100);
    series.run(1, 0);
    expect(drops(series)).toHaveLength(2);
  });
});
