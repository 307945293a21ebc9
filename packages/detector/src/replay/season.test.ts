import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { replay } from './replay.ts';
import { scoreSteps } from './score-steps.ts';
import { resolutionOfSeason, type Season, SeasonalHistory } from './season.ts';

const YEAR = 52;
const SEASON: Season = { steps: YEAR, reach: 3, periods: 5 };
const WEEK_MINUTES = 10_080;
const WEEK_MS = WEEK_MINUTES * 60_000;

/** A winter with ten times the cases of a summer. */
const winter = (week: number) => 50 * Math.exp(1.15 * Math.cos((2 * Math.PI * week) / YEAR));
const simulate = (seed: number, weeks: number, rateAt: (week: number) => number) => {
  const random = new Random(seed);
  return Array.from({ length: weeks }, (_, week) => random.poisson(rateAt(week)));
};
const past = (counts: number[]) => ({ startMs: 0, stepMinutes: WEEK_MINUTES, counts });

describe('counts with a season of their own', () => {
  it('expects the mean of the same steps of past periods and their neighbours', () => {
    const history = new SeasonalHistory({ steps: 4, reach: 1, periods: 8 });
    expect(history.expect(1)).toBeNull();
    for (let step = 0; step < 40; step++) history.add(step % 4 === 0 ? 60 : 30);
    expect(history.expect(1)?.rate).toBeCloseTo(40, 0);
    history.add(60);
    history.add(30);
    expect(history.expect(1)?.rate).toBeCloseTo(30, 0);
  });

  it.each([-0.003, 0, 0.005])('follows a log-linear trend of %f a step without a bias', (trend) => {
    const history = new SeasonalHistory(SEASON);
    for (let week = 0; week < 12 * YEAR; week++) history.add(Math.exp(trend * week) * 40 * winter(week));
    const week = 12 * YEAR;
    const flat = new SeasonalHistory(SEASON);
    for (let i = 0; i < week; i++) flat.add(40 * winter(i));
    expect(history.expect(1)?.rate).toBeCloseTo(Math.exp(trend * week) * (flat.expect(1)?.rate ?? 0), -3);
    const ratio = (history.expect(1)?.rate ?? 0) / (Math.exp(trend * week) * (flat.expect(1)?.rate ?? 1));
    expect(ratio).toBeCloseTo(1, 1);
  });

  it('skips unknown steps and refuses what is no count', () => {
    const history = new SeasonalHistory(SEASON);
    for (let week = 0; week < 6 * YEAR; week++)
      history.add(week % 5 === 0 ? ([Number.NaN, -3, 1e38][week % 3] ?? 0) : 20);
    expect(history.expect(1)?.rate).toBeCloseTo(20, 5);
    expect(history.expect(1)?.shape).toBeGreaterThan(200);
  });

  it('opens an incident for an outbreak in summer, and none for the winters', () => {
    const counts = simulate(1, 10 * YEAR, (week) => winter(week) * (week >= 494 && week < 497 ? 3 : 1));
    const found = replay(past(counts), 0.02, SEASON);
    expect(found.map(({ openedAtMs }) => openedAtMs / WEEK_MS)).toEqual([494]);
    expect(found[0]).toMatchObject({ direction: 'up', windowSeconds: WEEK_MINUTES * 60 });
    expect(found[0]?.expected).toBeGreaterThan(0.7 * winter(494));
    expect(found[0]?.expected).toBeLessThan(1.4 * winter(494));
  });

  it('keeps false steps near a budget of one in a hundred', () => {
    let falseSteps = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const counts = simulate(seed, 12 * YEAR, winter);
      falseSteps += scoreSteps(past(counts), 0.02, 11 * YEAR, SEASON).filter(Boolean).length;
    }
    expect(falseSteps / (20 * YEAR)).toBeLessThanOrEqual(0.02);
  });

  it('evaluates days of the week by the same days of eight weeks', () => {
    const weekly = (day: number) => (day % 7 < 5 ? 200 : 20);
    const counts = simulate(2, 200, (day) => (day === 187 ? 200 : weekly(day)));
    const days = { startMs: 0, stepMinutes: 1_440, counts };
    const found = replay(days, 0.05, { steps: 7, reach: 0, periods: 8 });
    expect(187 % 7).toBe(5);
    expect(found.map(({ openedAtMs }) => openedAtMs / (1_440 * 60_000))).toEqual([187]);
  });

  it.each([
    { steps: 1 },
    { steps: 97 },
    { steps: 7.5 },
    { steps: Number.NaN },
    { reach: 26 },
    { reach: -1 },
    { periods: 0 },
  ])('refuses a season that cannot be: %j', (change) => {
    expect(() => resolutionOfSeason({ ...SEASON, ...change })).toThrow(RangeError);
  });
});
