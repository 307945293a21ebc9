import { describe, expect, it } from 'vitest';
import { logLikelihoodRatio } from '../series/evidence.ts';
import { shareEvidence } from './share-evidence.ts';

const logOddsOf = (share: number) => Math.log(share / (1 - share));
const usual = { logOdds: logOddsOf(0.03), variance: 0.16, dispersion: 1 };
/** As good as none. */
const STEADY = { ...usual, variance: 1e-6 };

/** Returns the smallest sum over a fine grid of wanderings: the definition itself. */
function onGrid(failures: number, trials: number, variance: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let u = 0; u < 8; u += 1e-3) {
    const share = 1 / (1 + Math.exp(-usual.logOdds - u));
    const [failed, others] = [failures / trials, 1 - failures / trials];
    const divergence =
      (failed > 0 ? failed * Math.log(failed / share) : 0) +
      (others > 0 ? others * Math.log(others / (1 - share)) : 0);
    least = Math.min(least, trials * divergence + (u * u) / (2 * variance));
  }
  return least;
}

describe('the evidence that more fail than usual', () => {
  it('equals the exact binomial log-likelihood ratio where the share does not wander', () => {
    expect(shareEvidence({ failures: 20, trials: 20 }, STEADY).nats).toBeCloseTo(-20 * Math.log(0.03), 2);
    const exact = 24 * Math.log(0.2 / 0.03) + 96 * Math.log(0.8 / 0.97);
    expect(shareEvidence({ failures: 24, trials: 120 }, STEADY).nats).toBeCloseTo(exact, 2);
  });

  it.each([
    [5, 5, 0.16],
    [24, 120, 0.16],
    [300, 3_000, 0.02],
    [100_000, 1_000_000, 0.1],
    [7, 200, 0.5],
  ])(
    'takes the least evidence over all wanderings to a tenth for %d of %d, variance %d',
    (f, n, variance) => {
      const { nats, ofWandering } = shareEvidence({ failures: f, trials: n }, { ...usual, variance });
      expect(nats / onGrid(f, n, variance)).toBeGreaterThan(0.9);
      expect(nats / onGrid(f, n, variance)).toBeLessThan(1.1);
      expect(ofWandering).toBeLessThanOrEqual(nats);
    },
  );

  it('equals that of negative binomial counts where failures are few of many and come in clumps', () => {
    const clumped = { ...STEADY, logOdds: logOddsOf(1e-6), dispersion: 4 };
    const size = 2 / (4 - 1);
    const exact = logLikelihoodRatio(12, 2, size);
    expect(shareEvidence({ failures: 12, trials: 2e6 }, clumped).nats).toBeCloseTo(exact, 3);
  });

  it('finds no evidence where no more fail than usual', () => {
    expect(shareEvidence({ failures: 3, trials: 100 }, usual).nats).toBe(0);
    expect(shareEvidence({ failures: 0, trials: 0 }, usual).nats).toBe(0);
  });

  it('grows with each failure, and stays finite where all fail', () => {
    const nats = [10, 20, 50, 99, 100].map(
      (failures) => shareEvidence({ failures, trials: 100 }, usual).nats,
    );
    expect(nats).toEqual(nats.toSorted((left, right) => left - right));
    expect(shareEvidence({ failures: 1e9, trials: 1e9 }, usual).nats).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
