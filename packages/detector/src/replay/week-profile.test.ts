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
});
