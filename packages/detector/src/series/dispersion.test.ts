import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { updateDispersion } from './dispersion.ts';

const RESOLUTION = resolutionOf(1);
const NO_BAND = { high: 0, low: Number.POSITIVE_INFINITY };

function dispersionAfter(counts: number[], { band = NO_BAND, hasOpenAlarm = false } = {}): number {
  const state = new SeriesState();
  state.setLevel(20, 1_000);
  for (const count of counts) {
    const winsorised = Math.min(count, 44);
    updateDispersion(state, RESOLUTION, { count, winsorised, level: state.level, band, hasOpenAlarm });
  }
  return state.dispersion;
}

describe('the dispersion', () => {
  it('keeps the dispersion at or above that of Poisson counts', () => {
    expect(dispersionAfter(Array.from({ length: 500 }, () => 20))).toBe(1);
  });

  it('approaches the variance over the mean', () => {
    // 20 ± 10: a variance of 100.
    const dispersion = dispersionAfter(Array.from({ length: 5_000 }, (_, i) => (i % 2 === 0 ? 10 : 30)));
    expect(dispersion).toBeGreaterThan(4);
    expect(dispersion).toBeLessThan(5);
  });

  it('counts no deviation within the seasonal band', () => {
    const counts = Array.from({ length: 500 }, () => 100);
    expect(dispersionAfter(counts, { band: { high: 100, low: 20 } })).toBe(1);
  });

  it('limits what one burst adds, and more so while an alarm is open', () => {
    const burst = dispersionAfter([1_000_000]);
    expect(burst).toBeGreaterThan(5);
    expect(burst).toBeLessThan(8);
    expect(dispersionAfter([1_000_000], { hasOpenAlarm: true })).toBe(1);
  });
});
