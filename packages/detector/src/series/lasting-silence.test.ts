import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../state/durations.ts';
import { coarseResolutionOf } from '../state/resolution.ts';
import { coarseLayoutOf } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN } from '../state/side.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { createSeries, evaluateStep } from './series-detector.ts';
import { createWorkspace } from './workspace.ts';

const STEPS_A_DAY = 12;
const resolution = coarseResolutionOf(120);
const context = { resolution, pooledTails: null, budgetPerWeek: 1 };

/** Events in two hours: 0.3 around four in the morning, 2.7 in the afternoon. */
const usual = (step: number) =>
  1.5 - 1.2 * Math.cos((2 * Math.PI * ((step % STEPS_A_DAY) - 1.5)) / STEPS_A_DAY);

describe('a silence at coarse steps', () => {
  it.each([1, 2, 3])('closes its alarm with the events that end it, not by night (%d)', (seed) => {
    const random = new Random(seed);
    const state = createSeries(context, new SeriesState(undefined, coarseLayoutOf(120)));
    const workspace = createWorkspace();
    const from = 15 * STEPS_A_DAY + 3;
    const changes: { kind: string; step: number }[] = [];
    for (let step = 0; step < from + 2 * STEPS_A_DAY; step++) {
      const isSilent = step >= from && step < from + STEPS_A_DAY;
      const position = seasonalPositionOf(resolution, START_MS + step * 2 * HOUR_MS);
      const count = isSilent ? 0 : random.poisson(usual(step));
      for (const { kind, side } of evaluateStep(state, { ...context, position }, count, workspace)) {
        if (side === DOWN && kind !== 'suppressed') changes.push({ kind, step: step - from });
      }
    }
    expect(changes.map(({ kind }) => kind)).toEqual(['opens', 'closes']);
    expect(changes[1]?.step).toBeGreaterThanOrEqual(STEPS_A_DAY);
  });
});
