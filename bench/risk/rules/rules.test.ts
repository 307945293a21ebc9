import { describe, expect, it } from 'vitest';
import { RULES } from './rules.ts';
import { judgeScores, thresholdFor } from './threshold.ts';
import { createTroubledSeries, STEPS } from './troubled-series.ts';

/** Ten days, by the hour: a rhythm of the day, and some noise without chance. */
const HOURS = Array.from(
  { length: 240 },
  (_, hour) => 100 + 50 * Math.sin((2 * Math.PI * hour) / 24) + ((hour * 7) % 11),
);

describe('a rule that a person would configure', () => {
  it.each(RULES)(
    'scores the burst and the silence of a series higher than every other hour: $name',
    ({ scores }) => {
      for (const count of [100_000, 0]) {
        const counts = HOURS.with(200, count);
        const found = scores(counts, 60);
        expect(found).toHaveLength(counts.length);
        const others = found.slice(170).filter((_, hour) => hour !== 30);
        // Downwards a rule of long steps, or without the time of day, may see no more than noise.
        if (count > 0) expect(found[200]).toBeGreaterThan(Math.max(...others.slice(0, 30)));
        else expect(found[200]).toBeGreaterThan(0);
      }
    },
  );

  it('expects of a count that grows by a tenth a day what the trend makes of it', () => {
    const counts = Array.from({ length: 20 * 24 }, (_, hour) => 100 * 1.1 ** Math.floor(hour / 24));
    const scoreOf = (name: string) =>
      RULES.find((rule) => rule.name === name)
        ?.scores(counts, 60)
        .at(-12) ?? Number.NaN;
    expect(scoreOf('Farrington, trend')).toBeLessThan(0.2);
    expect(scoreOf('median ± k·MAD, 7 days')).toBeGreaterThan(1);
  });
});

describe('the threshold of a rule', () => {
  const scores = [0, 9, 0, 0, 0, 5, 0, 0, 0, 7, 7, 0, 0, 0, 3];
  const series = { stepMinutes: 60, labels: [{ from: 5, to: 5, isDrop: false }], judgedFrom: 0, scores };

  it('counts what exceeds it outside of labels as false incidents, neighbours as one', () => {
    expect(judgeScores(series, 4)).toEqual({ falseIncidents: 2, found: [true] });
    expect(judgeScores(series, 6)).toEqual({ falseIncidents: 2, found: [false] });
    expect(judgeScores(series, 8)).toEqual({ falseIncidents: 1, found: [false] });
  });

  it('takes the least with as many false incidents as allowed', () => {
    expect(thresholdFor([series], 2)).toBeGreaterThanOrEqual(3);
    expect(thresholdFor([series], 2)).toBeLessThan(3.1);
    expect(thresholdFor([series], 0)).toBeGreaterThanOrEqual(9);
  });
});

describe('a series with troubles', () => {
  it.each(STEPS)(
    'puts several troubles into a series, and none into the week that is learned from, at steps of %d minutes',
    (step) => {
      const { labels, judgedFrom, counts, minutes } = createTroubledSeries(step, 10, 3);
      expect(labels.length).toBeGreaterThan(2);
      expect(Math.min(...labels.map(({ from }) => from))).toBeGreaterThanOrEqual(judgedFrom);
      expect(minutes).toHaveLength(counts.length * step);
      expect(minutes.slice(0, step).reduce((sum, count) => sum + count, 0)).toBe(counts[0]);
    },
  );
});
