import { describe, expect, it } from 'vitest';
import { coversOf } from './accepting-times.ts';

const interval = (sinceMs: number, untilMs: number) => ({
  sinceMs,
  untilMs,
  isCurrent: false,
  lostUntilMs: null,
});

describe('the times in which check-ins were accepted', () => {
  const covers = coversOf(
    [interval(200_000, 300_000), interval(0, 100_000), interval(400_000, 500_000)],
    15_000,
  );

  it('covers what lies within one interval, and the pause between two reports', () => {
    expect(covers(10_000, 90_000)).toBe(true);
    expect(covers(410_000, 510_000)).toBe(true);
  });

  it('leaves a gap uncovered', () => {
    expect(covers(90_000, 210_000)).toBe(false);
    expect(covers(310_000, 390_000)).toBe(false);
    expect(covers(350_000, 350_000)).toBe(false);
    expect(coversOf([], 15_000)(0, 60_000)).toBe(false);
  });

  it('covers a gap that is no longer than the tolerance, such as a restart', () => {
    const restarted = coversOf([interval(0, 100_000), interval(110_000, 200_000)], 15_000);
    expect(restarted(50_000, 150_000)).toBe(true);
    expect(coversOf([interval(0, 100_000), interval(120_000, 200_000)], 15_000)(50_000, 150_000)).toBe(false);
  });
});
