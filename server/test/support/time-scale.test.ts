import { describe, expect, it } from 'vitest';
import { scaled } from './time-scale.ts';

describe('time limits of tests', () => {
  it('never shrinks a limit and stretches it at most twentyfold', () => {
    expect(scaled(1_000)).toBeGreaterThanOrEqual(1_000);
    expect(scaled(1_000)).toBeLessThanOrEqual(20_000);
  });

  it('stretches all limits of a run by the same factor', () => {
    expect(scaled(10_000) / 10).toBeCloseTo(scaled(1_000), -1);
  });
});
