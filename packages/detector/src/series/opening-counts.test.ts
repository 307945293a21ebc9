import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { openingCounts } from './opening-counts.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { createSeries, evaluateStep } from './series-detector.ts';
import { createWorkspace } from './workspace.ts';

const CONTEXT = { resolution: resolutionOf(1), pooledTails: null, budgetPerWeek: 1 };
const workspace = createWorkspace();

/** Returns a series of a mean a minute after so many minutes, and its context in the minute that comes next. */
function seriesAfter(minutes: number, mean: number) {
  const random = new Random(7);
  const state = createSeries(CONTEXT);
  const contextAt = (minute: number) => ({
    ...CONTEXT,
    position: seasonalPositionOf(CONTEXT.resolution, START_MS + minute * 60_000),
  });
  for (let minute = 0; minute < minutes; minute++) {
    evaluateStep(state, contextAt(minute), random.poisson(mean), workspace);
  }
  return { state, context: contextAt(minutes) };
}

/** True if a count of the next minute opens an alarm. */
function opens({ state, context }: ReturnType<typeof seriesAfter>, count: number): boolean {
  const copy = new SeriesState(state.toBytes());
  return evaluateStep(copy, context, count, workspace).some(({ kind }) => kind === 'opens');
}

describe('The counts that would open an alarm', () => {
  it('gives no opening counts while a series is too young to be evaluated', () => {
    const { state, context } = seriesAfter(10, 20);
    expect(openingCounts(state, context, workspace)).toEqual([]);
  });

  it.each([0.3, 5, 80, 2_000])(
    'gives the count that opens an alarm in the next minute, where one event less does not, at %d a minute',
    (mean) => {
      const series = seriesAfter(3 * 1_440, mean);
      const counts = openingCounts(series.state, series.context, workspace);
      expect(counts.map(({ windowMinutes }) => windowMinutes)).toEqual([1, 3, 10, 30]);
      // Earlier minutes count in the longer windows: the least that any of them asks of the next minute.
      const before = [0, 2, 9, 29].map((steps) =>
        Array.from({ length: steps }, (_, back) =>
          series.state.count((series.state.age - 1 - back + 30) % 30),
        ).reduce((sum, count) => sum + count, 0),
      );
      const least = Math.min(
        ...counts.map(({ rise }, window) => Math.max(0, (rise ?? Infinity) - (before[window] ?? 0))),
      );
      expect([opens(series, least - 1), opens(series, least)]).toEqual([false, true]);
    },
  );

  it('gives a drop of a frequent series, and none of a rare one', () => {
    const [frequent] = openingCounts(...argumentsOf(seriesAfter(3 * 1_440, 200)));
    const rare = openingCounts(...argumentsOf(seriesAfter(3 * 1_440, 0.05)));
    expect(frequent?.drop).toBeGreaterThan(20);
    expect(frequent?.drop).toBeLessThan(140);
    expect(rare.map(({ drop }) => drop)).toEqual([null, null, null, null]);
  });
});

function argumentsOf({ state, context }: ReturnType<typeof seriesAfter>) {
  return [state, context, workspace] as const;
}
