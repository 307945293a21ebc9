import { describe, expect, it } from 'vitest';
import { WeekProfile } from './week-profile.ts';

describe('the profile of a week', () => {
  it.each([50, 7 * 24 * 60])(
    'leaves the level alone at steps of %d minutes, a week of which has no parts',
    (minutes) => {
      const profile = new WeekProfile(minutes);
      for (let step = 0; step < 20; step++) {
        profile.learn(step, 5, 10);
        expect(profile.report(step, true)).toBe(false);
      }
      expect(profile.factorOf(20).factor).toBe(1);
    },
  );

  it('learns the factor of each hour of a week', () => {
    const profile = new WeekProfile(60);
    for (let week = 0; week < 10; week++) profile.learn(week * 168 + 3, 2, 100);
    expect(profile.factorOf(1_683).factor).toBeGreaterThan(1.9);
    expect(profile.factorOf(1_684).factor).toBeLessThan(1.1);
  });

  it('takes all steps for like each other where they divide the week and no day', () => {
    const profile = new WeekProfile(210);
    profile.learn(0, 2, 100);
    const factors = [1, 4, 24, 44, 47].map((step) => profile.factorOf(step).factor);
    expect(factors).toEqual(Array(5).fill(factors[0]));
    expect(factors[0]).toBeGreaterThan(1.9);
  });

  it('takes three steps on either side for like one of a season', () => {
    const profile = new WeekProfile(10_080, 52);
    profile.learn(0, 2, 100);
    const factors = [3, 49, 4, 48].map((step) => profile.factorOf(step).factor);
    expect(factors).toEqual([factors[0], factors[0], 1, 1]);
    expect(factors[0]).toBeGreaterThan(1.9);
  });
});
