import { describe, expect, it } from 'vitest';
import { codesOf } from '../state/code-runs.ts';
import { EVIDENCE } from '../state/log-code.ts';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { growBlock, recentMaximaOf } from './block-maxima.ts';
import { poolDispersion } from './pooled-dispersion.ts';
import { PooledTails } from './pooled-tails.ts';
import { fitOwnTail } from './window-tail.ts';

const RESOLUTION = resolutionOf(1);

function seriesOf(level: number, dispersion: number, expectations = 1e6): SeriesState {
  const state = new SeriesState();
  state.setLevel(level, 1);
  state.dispersion = dispersion;
  state.expectations = expectations;
  return state;
}

describe('the pooled dispersion', () => {
  it('pools the dispersion of other series of a similar level', () => {
    const [own, ...others] = [seriesOf(10, 1), seriesOf(10, 8), seriesOf(10, 8), seriesOf(1e6, 1)];
    poolDispersion([own, ...others] as SeriesState[]);
    expect(own?.pooledDispersion).toBeGreaterThan(6);
    expect(own?.pooledDispersion).toBeLessThan(8);
  });

  it('starts from a prior dispersion of nearly two in a new project', () => {
    const series = [seriesOf(10, 1, 0), seriesOf(10, 1, 0)];
    poolDispersion(series);
    expect(series.map(({ pooledDispersion }) => pooledDispersion)).toEqual([2, 2]);
  });

  it('keeps the dispersion at or above that of Poisson counts', () => {
    const series = [seriesOf(10, 1), seriesOf(10, 1)];
    poolDispersion(series);
    for (const { pooledDispersion } of series) expect(pooledDispersion).toBeGreaterThanOrEqual(1);
  });
});

describe('the pooled tails', () => {
  /** Returns a series of a level whose blocks of drops had these largest pieces of evidence. */
  function withDrops(level: number, blocks: number, factor = 1): SeriesState {
    const state = seriesOf(level, 1);
    for (let block = 0; block < blocks; ) {
      state.setBlockMaximum(DOWN, 0, factor * (2 + (block % 7)));
      if (growBlock(state, RESOLUTION, { side: DOWN, count: 1, mayClose: true })) block++;
    }
    return state;
  }

  function fitted(series: SeriesState[]): PooledTails {
    const pooled = new PooledTails();
    pooled.isPooling = true;
    pooled.fit(series, RESOLUTION);
    return pooled;
  }

  it('pools the scale of one series for each side and window, and nothing where there are no maxima', () => {
    const own = withDrops(10, 40);
    const pooled = fitted([own]);
    const { scale } = fitOwnTail(own, RESOLUTION, { side: DOWN, window: 0 });
    expect(pooled.of(own, DOWN, 0).scale).toBeCloseTo(scale, 5);
    expect(pooled.of(own, UP, 0)).toMatchObject({ scale: 0, spread: 0, location: 0, count: 0 });
  });

  it('gives a quiet series the scale of quiet ones, not the spread between them and a heavy one', () => {
    const quiet = Array.from({ length: 8 }, () => withDrops(10, 40));
    const { scale } = fitted(quiet).of(seriesOf(10, 1), DOWN, 0);
    const mixed = fitted([...quiet, withDrops(10, 40, 40)]).of(seriesOf(10, 1), DOWN, 0);
    expect(mixed.scale).toBeLessThan(1.5 * scale);
  });

  it('gives a series the tails of those of a similar level', () => {
    const pooled = fitted([withDrops(0.1, 40), withDrops(10_000, 40, 40)]);
    const [rare, frequent] = [0.1, 10_000].map((level) => pooled.of(seriesOf(level, 1), DOWN, 0).scale);
    expect(frequent).toBeGreaterThan(5 * (rare ?? 0));
  });

  it('gives the same tails when saved and loaded', () => {
    const pooled = fitted([withDrops(1, 12), withDrops(300, 40)]);
    const loaded = new PooledTails(pooled.save());
    for (const level of [0.01, 1, 30, 1e5]) {
      const { scale, spread, location, count } = pooled.of(seriesOf(level, 1), DOWN, 0);
      expect(loaded.of(seriesOf(level, 1), DOWN, 0)).toMatchObject({ scale, spread, location, count });
    }
    expect(loaded.isPooling).toBe(true);
  });
});

describe('the maxima of rises that a series of a project is evaluated by', () => {
  /** Returns a series of blocks with the evidence of their number. */
  function afterMinutes(minutes: number): SeriesState {
    const state = new SeriesState();
    for (let minute = 0; minute < minutes; minute++) {
      state.setBlockMaximum(UP, 0, 1 + state.blocks(UP));
      growBlock(state, RESOLUTION, { side: UP, count: 5, mayClose: true });
      state.age += 1;
    }
    return state;
  }
  const recent = (state: SeriesState) => codesOf(recentMaximaOf(state, RESOLUTION, UP, 0));

  it('uses all maxima of the first day, and the last twelve until the second day has as many', () => {
    expect(recent(afterMinutes(1_440))).toHaveLength(18);
    expect(recent(afterMinutes(2_880))).toHaveLength(12);
  });

  it.each([6, 10, 18, 20, 30])('leaves the maxima of the first day out after %d days', (days) => {
    const state = afterMinutes(days * 1_440);
    const oldest = Math.min(...recent(state));
    const ofFirstDay = EVIDENCE.encode(18);
    expect(oldest).toBeGreaterThan(ofFirstDay);
    expect(recent(state).length).toBeGreaterThanOrEqual(12);
  });
});
