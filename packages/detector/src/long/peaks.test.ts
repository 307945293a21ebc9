import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { UP } from '../state/side.ts';
import { LongState, longLayoutOf } from './long-state.ts';
import { addPeak, holdThresholdOf, openThresholdOf, peaksPerWeek } from './peaks.ts';

const HOURS = longLayoutOf(60, [1]);
const STEPS = 50_000;
const STEPS_PER_WEEK = 168;
const ALARMS_PER_WEEK = STEPS_PER_WEEK / 500;

const thresholdOf = (state: LongState) => openThresholdOf(state, HOURS, UP, ALARMS_PER_WEEK);

function watch(scale: number): { state: LongState; alarms: number } {
  const random = new Random(1);
  const state = new LongState(HOURS);
  let alarms = 0;
  for (let step = 0; step < STEPS; step++) {
    const evidence = -scale * Math.log(1 - random.uniform());
    const threshold = thresholdOf(state);
    if (evidence > threshold) alarms++;
    addPeak(state, HOURS, UP, evidence > threshold ? holdThresholdOf(threshold) : evidence);
  }
  return { state, alarms };
}

describe('a threshold by the peaks over another one', () => {
  it.each([0.8, 1, 2])('lets evidence of scale %d exceed it about as often as allowed', (scale) => {
    const { alarms } = watch(scale);
    expect(alarms).toBeGreaterThan(STEPS / 500 / 4);
    expect(alarms).toBeLessThan((2 * STEPS) / 500);
  });

  it('stays nearly the same with what is reported, however often', () => {
    const { state } = watch(1);
    const before = thresholdOf(state);
    for (let i = 0; i < 20; i++) {
      addPeak(state, HOURS, UP, holdThresholdOf(thresholdOf(state)));
      for (let step = 0; step < 40; step++) addPeak(state, HOURS, UP, 0.5);
    }
    expect(thresholdOf(state)).toBeLessThan(1.3 * before);
  });

  it('allows as many peaks as the tail that it follows from has above it', () => {
    const { state } = watch(2);
    expect(peaksPerWeek(state, HOURS, UP, thresholdOf(state))).toBeCloseTo(ALARMS_PER_WEEK, 6);
  });
});
