import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import cases from '../../fixtures/golden-vectors.json' with { type: 'json' };
import fixtures from '../../fixtures/special-functions.json' with { type: 'json' };
import { resolutionOf } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { logLikelihoodRatio } from './evidence.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { createSeries, evaluateStep } from './series-detector.ts';
import { createWorkspace } from './workspace.ts';

/** The state is kept in 32-bit floats, the model in 64 bits: differences of evidence near zero are relative to 0.1. */
const RELATIVE = 2e-6;
const EVIDENCE_RELATIVE = 1e-4;

function expectClose(actual: number, expected: number, tolerance: number, floor = 0): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(Math.abs(expected), floor));
}

/** One tail for all windows of a side. */
function tailsOf(projectTails: number[][] | null) {
  if (!projectTails) return null;
  const tails = projectTails.map(([scale = 0, location = 0, count = 0, spread = 0]) => ({
    scale,
    spread,
    location,
    count,
  }));
  return {
    of: (_: SeriesState, side: Side) => tails[side] ?? { scale: 0, spread: 0, location: 0, count: 0 },
  };
}

describe('a series, against an independent model in Python', () => {
  it.each(cases)(
    'computes the level, dispersion, evidence and thresholds of an independent model: $name',
    (vector) => {
      const { stepMinutes, budgetPerWeek, counts, samples, last } = vector;
      const resolution = resolutionOf(stepMinutes);
      const workspace = createWorkspace();
      const context = { resolution, pooledTails: tailsOf(vector.projectTails), budgetPerWeek };
      const state = createSeries(context);
      const step = (index: number, count: number) => {
        const timeMs = START_MS + index * stepMinutes * 60_000;
        return evaluateStep(
          state,
          { ...context, position: seasonalPositionOf(resolution, timeMs) },
          count,
          workspace,
        );
      };
      counts.forEach((count, index) => {
        expect(step(index, count ?? Number.NaN)).toEqual([]);
        const sample = samples.find(({ steps }) => steps === index + 1);
        if (!sample) return;
        expectClose(state.level, sample.level, RELATIVE);
        expectClose(state.shape, sample.shape, RELATIVE);
        expectClose(state.dispersion, sample.dispersion, RELATIVE);
        for (const side of [UP, DOWN] as const) {
          for (let window = 0; window < resolution.windows.length; window++) {
            const maximum = sample.blockMaxima[side]?.[window] ?? Number.NaN;
            expectClose(state.blockMaximum(side, window), maximum, EVIDENCE_RELATIVE, 0.1);
            expectClose(
              state.openThreshold(side, window),
              sample.open[side]?.[window] ?? Number.NaN,
              RELATIVE,
            );
            expectClose(
              state.holdThreshold(side, window),
              sample.hold[side]?.[window] ?? Number.NaN,
              RELATIVE,
            );
          }
        }
      });
      const [change, ...others] = step(counts.length, last.count);
      expect(others).toEqual([]);
      if (change?.kind !== 'opens') throw new Error('The last step opens an alarm.');
      expectClose(
        change.evidence,
        last.evidence[change.side]?.[change.window] ?? Number.NaN,
        EVIDENCE_RELATIVE,
      );
    },
  );
});

describe('the log-likelihood ratio', () => {
  it('computes the log-likelihood ratio of SciPy within 1e-9 of the value or 1e-10', () => {
    for (const [observed = 0, mean = 0, size = 0, value = 0] of fixtures.logLikelihoodRatio) {
      const error = Math.abs(logLikelihoodRatio(observed, mean, size) - value);
      expect(error).toBeLessThanOrEqual(Math.max(1e-10, 1e-9 * Math.abs(value)));
    }
  });
});
