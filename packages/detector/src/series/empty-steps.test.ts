import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import fixtures from '../../fixtures/special-functions.json' with { type: 'json' };
import { DOWN } from '../state/side.ts';
import { emptyShare, emptyStepsEvidence } from './empty-steps.ts';
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

describe('the evidence of empty steps', () => {
  it('computes the binomial log-likelihood ratio of SciPy within 1e-12', () => {
    for (const [empty = 0, known = 0, share = 0, value = 0] of fixtures.emptySteps) {
      const error = Math.abs(emptyStepsEvidence({ empty, run: 0, known }, share) - value);
      expect(error).toBeLessThanOrEqual(1e-12 * Math.max(1, value));
    }
  });

  it('asks k·ln(1/π) of the k steps since the last event, and nothing of fewer empty steps than usual', () => {
    expect(emptyStepsEvidence({ empty: 20, run: 15, known: 30 }, 0.5)).toBeCloseTo(15 * Math.LN2, 12);
    expect(emptyStepsEvidence({ empty: 10, run: 0, known: 30 }, 0.5)).toBeCloseTo(0, 12);
  });
});

describe('a stream with empty minutes', () => {
  it.each([0.2, 0.35, 0.5])(
    'opens no alarm for the empty minutes of a stream of which a share of %d is empty',
    (share) => {
      const series = new SimulatedSeries(1);
      runCounts(series, rounds(1, 3) * WEEK, zeroInflated(Math.round(100 * share), 120, share));
      expect(emptyShare(series.state)).toBeGreaterThan(share - 0.1);
      expect(drops(series)).toEqual([]);
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
    expect(emptyShare(series.state)).toBe(0);
  });

  it('learns no share of empty steps of a rare stream, nor from a night without events', () => {
    const rare = new SimulatedSeries(5);
    rare.run(WEEK, 1);
    const nightly = new SimulatedSeries(6);
    nightly.run(WEEK, (minute) => (minute % 1_440 < 480 ? 0 : 60));
    expect([emptyShare(rare.state), emptyShare(nightly.state)]).toEqual([0, 0]);
  });
});
