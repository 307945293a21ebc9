import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState, sideWindow } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { growBlock } from './block-maxima.ts';
import { poolDispersion } from './pooled-dispersion.ts';
import { PooledMaxima } from './pooled-maxima.ts';

const RESOLUTION = resolutionOf(1);
const SORTED = new Uint8Array(512);

function seriesOf(level: number, dispersion: number, expectations = 1e6): SeriesState {
  const state = new SeriesState();
  state.setLevel(level, 1);
  state.dispersion = dispersion;
  state.setDeviations(0, expectations);
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

describe('the pooled maxima', () => {
  function addBlocks(pool: PooledMaxima, blocks: number): void {
    const state = new SeriesState();
    for (let block = 0; block < blocks; ) {
      state.setBlockMaximum(DOWN, 0, 2 + (block % 7));
      if (!growBlock(state, RESOLUTION, { side: DOWN, count: 1, mayClose: true })) continue;
      pool.add(state, RESOLUTION, DOWN);
      block++;
    }
  }

  it('fit one tail for each side and window, and none where there are no maxima', () => {
    const pool = new PooledMaxima();
    addBlocks(pool, 40);
    const tails = pool.fitTails(SORTED);
    expect(tails[sideWindow(DOWN, 0)]).toMatchObject({ count: 40 });
    expect(tails[sideWindow(DOWN, 0)]?.scale).toBeGreaterThan(0);
    expect(tails[sideWindow(UP, 0)]).toEqual({ scale: 0, location: 0, count: 0 });
  });

  it('keep the last 512 maxima, also when saved and loaded', () => {
    const pool = new PooledMaxima();
    addBlocks(pool, 600);
    const loaded = new PooledMaxima(pool.toBytes());
    expect(loaded.fitTails(SORTED)).toEqual(pool.fitTails(SORTED));
    expect(loaded.fitTails(SORTED)[sideWindow(DOWN, 0)]?.count).toBe(512);
  });
});
