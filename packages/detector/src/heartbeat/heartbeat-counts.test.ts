import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { evidencePerMissingEvent, learnHeartbeat } from './heartbeat-counts.ts';

const KEPT = 32;
const NO_EMPTY_ONES = { logRatio: 0, kept: KEPT };

/** Returns the moments of heartbeats with these numbers of events. */
function countsOf(events: number[], kept = KEPT) {
  const counts = { running: 0, heartbeats: 0, meanCount: 0, countVariance: 0 };
  for (const running of events) {
    counts.running = running;
    learnHeartbeat(counts, kept);
  }
  return counts;
}

const withMoments = (mean: number, variance: number) => ({
  ...countsOf([1]),
  meanCount: mean,
  countVariance: variance,
});

describe('the numbers of events of heartbeats', () => {
  it('keeps their mean and variance', () => {
    const { meanCount, countVariance } = countsOf([2, 4, 4, 6, 9]);
    expect(meanCount).toBeCloseTo(5, 12);
    expect(countVariance).toBeCloseTo(5.6, 12);
  });

  it.each([
    ['a Poisson distribution', 3, 3, Math.exp(-3)],
    ['nearly one', 3, 3.0002, Math.exp(-3)],
    ['a binomial distribution of ten trials', 4, 2.4, 0.6 ** 10],
    ['a negative binomial distribution of size 2', 6, 24, 0.25 ** 2],
  ])('gives the chance of an empty one of %s', (_, mean, variance, chance) => {
    const evidence = evidencePerMissingEvent(withMoments(mean, variance), NO_EMPTY_ONES);
    expect(Math.exp(-mean * (evidence ?? 0))).toBeCloseTo(chance, 5);
  });

  it('treats those as alike that are the same but for a single event too many', () => {
    const alike = Array.from({ length: 200 }, () => 4);
    expect(evidencePerMissingEvent(countsOf([]), NO_EMPTY_ONES)).toBeNull();
    expect(evidencePerMissingEvent(countsOf(alike), NO_EMPTY_ONES)).toBeNull();
    expect(evidencePerMissingEvent(countsOf([...alike, 5]), NO_EMPTY_ONES)).toBeNull();
    expect(evidencePerMissingEvent(countsOf([...alike, 5, 4, 6]), NO_EMPTY_ONES)).not.toBeNull();
  });

  it.each([1, 2, 4])(
    'gives about one nat an event at %d events a minute, where empty ones leave gaps',
    (rate) => {
      const random = new Random(rate);
      const [gaps, events]: [number[], number[]] = [[], []];
      for (let gap = 1; events.length < 20_000; gap++) {
        const count = random.poisson(rate);
        if (count === 0) continue;
        events.push(count);
        gaps.push(gap);
        gap = 0;
      }
      const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const logRatio = Math.log(meanOf(gaps)) - meanOf(gaps.map(Math.log));
      const all = countsOf(events, Number.POSITIVE_INFINITY);
      const evidence = evidencePerMissingEvent(all, { logRatio, kept: KEPT });
      expect(evidence).toBeGreaterThan(0.95);
      expect(evidence).toBeLessThan(1.1);
    },
  );
});
