import { describe, expect, it } from 'vitest';
import { deviance, evidenceDown, evidenceUp, isDrop, isRise } from './evidence.ts';

describe('evidence', () => {
  it('equals the evidence of Poisson counts where the size is large', () => {
    expect(deviance(20, 10, 1e9)).toBeCloseTo(20 * Math.log(2) - 10, 4);
    expect(deviance(0, 10, 1e9)).toBeCloseTo(10, 4);
  });

  it('finds no evidence in the other direction', () => {
    expect(evidenceUp(5, 10, 1, 100)).toBe(0);
    expect(evidenceDown(10, 5, 1, 100, 5)).toBe(0);
  });

  it('finds less evidence where counts clump, and where little is known of the level', () => {
    expect(evidenceUp(40, 10, 4, 100)).toBeLessThan(evidenceUp(40, 10, 1, 100));
    expect(evidenceUp(40, 10, 1, 5)).toBeLessThan(evidenceUp(40, 10, 1, 100));
    expect(evidenceDown(0, 10, 4, 100, 10)).toBeLessThan(evidenceDown(0, 10, 1, 100, 10));
  });

  it('bounds the evidence where a level could have wandered, however many events it was seen in', () => {
    expect(evidenceUp(13_000_000, 10_000_000, 1, 1e9)).toBeLessThan(40);
    expect(evidenceDown(7_000_000, 10_000_000, 1, 1e9, 10_000_000)).toBeLessThan(20);
  });

  it('requires a smaller ratio where there are many events', () => {
    expect([isRise(130, 100), isRise(129, 100), isRise(130, 99)]).toEqual([true, false, false]);
  });

  it('requires an effect both by ratio and by number', () => {
    expect([isRise(16, 10), isRise(15, 10), isRise(4, 0.1)]).toEqual([true, false, false]);
    expect([isDrop(7, 10), isDrop(13, 20), isDrop(0, 4)]).toEqual([false, true, false]);
  });
});
