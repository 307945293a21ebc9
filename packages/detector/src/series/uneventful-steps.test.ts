import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { createSeries, evaluateStep } from './series-detector.ts';
import { takeUneventfulSteps, uneventfulSteps } from './uneventful-steps.ts';
import { createWorkspace } from './workspace.ts';

const RESOLUTION = resolutionOf(1);
const CONTEXT = { resolution: RESOLUTION, pooledTails: null, budgetPerWeek: 1 };
const DAY_MINUTES = 1_440;

/**
 * Evaluates each minute of a sparse series, and beside it a copy that takes in uneventful ones later. Both have
 * to be the same at each minute that is evaluated, and no uneventful minute may bring a change.
 * @param rate events a minute
 * @returns how many minutes were not evaluated, and what opened
 */
function compare(random: Random, days: number, rate: (minute: number) => number) {
  const workspace = createWorkspace();
  const each = createSeries(CONTEXT);
  let late = new SeriesState(each.toBytes());
  let [uneventfulUntil, pending, skipped, opened] = [0, 0, 0, 0];
  let lastPosition = seasonalPositionOf(RESOLUTION, START_MS);
  for (let minute = 0; minute < days * DAY_MINUTES; minute++) {
    const timeMs = START_MS + minute * MINUTE_MS;
    const position = seasonalPositionOf(RESOLUTION, timeMs);
    const count = random.poisson(rate(minute));
    const changes = evaluateStep(each, { ...CONTEXT, position }, count, workspace);
    if (minute < uneventfulUntil && count === 0) {
      if (changes.length > 0) throw new Error(`Minute ${minute} is eventful.`);
      pending++;
      skipped++;
      continue;
    }
    const place = {
      resolution: RESOLUTION,
      position: { ...lastPosition, slotBegins: false, hourBegins: false },
    };
    takeUneventfulSteps(late, place, pending, workspace);
    pending = 0;
    const changesLate = evaluateStep(late, { ...CONTEXT, position }, count, workspace);
    // Asserting each minute would take longer than evaluating it.
    if (changes.length > 0 || changesLate.length > 0) expect(changesLate).toEqual(changes);
    lastPosition = position;
    opened += changes.filter(({ kind }) => kind === 'opens').length;
    const stepsOfSlot = 14 - (minute % 15);
    const { windows } = workspace;
    const ended = { resolution: RESOLUTION, position, stepsOfSlot, windows };
    uneventfulUntil = changes.length > 0 ? 0 : minute + 1 + uneventfulSteps(late, ended);
    if (minute % 100 < 2) {
      expect(Buffer.compare(late.toBytes(), each.toBytes())).toBe(0);
      // The saved bytes lead to the same.
      late = new SeriesState(late.toBytes());
    }
  }
  return { skipped, opened };
}

describe('the uneventful steps of a series', () => {
  it.each([0.01, 0.1, 0.4])('takes steps in later with the same result: %s events a minute', (rate) => {
    const { skipped } = compare(new Random(1), 9, () => rate);
    expect(skipped / (9 * DAY_MINUTES)).toBeGreaterThan(rate < 0.2 ? 0.6 : 0.2);
  });

  it('takes steps in later with the same result where nights are empty, and bursts and outages open alarms', () => {
    const random = new Random(2);
    const rate = (minute: number) => {
      const hour = (minute / 60) % 24;
      if (minute > 8 * DAY_MINUTES && minute % 2_000 < 20) return 3;
      if (minute > 8 * DAY_MINUTES && minute % 3_000 > 2_700) return 0;
      return hour < 7 ? 0 : 0.8;
    };
    const { skipped, opened } = compare(random, 14, rate);
    expect(skipped).toBeGreaterThan(5_000);
    expect(opened).toBeGreaterThan(2);
  });

  it('finds none while an alarm is open, nor of a series of more than one event a minute', () => {
    const workspace = createWorkspace();
    const state = createSeries(CONTEXT);
    const random = new Random(3);
    const position = { ...seasonalPositionOf(RESOLUTION, START_MS), slotBegins: false, hourBegins: false };
    const ended = { resolution: RESOLUTION, position, stepsOfSlot: 10, windows: workspace.windows };
    const uneventfulAfter = (count: number) => {
      evaluateStep(state, { ...CONTEXT, position }, count, workspace);
      return uneventfulSteps(state, ended);
    };
    for (let minute = 0; minute < 300; minute++) uneventfulAfter(random.poisson(0.1));
    expect(uneventfulAfter(0)).toBeGreaterThan(0);
    for (let minute = 0; minute < 3; minute++) expect(uneventfulAfter(40)).toBe(0);
    expect(uneventfulAfter(0)).toBe(0);
    for (let minute = 0; minute < 300; minute++) uneventfulAfter(random.poisson(5));
    expect(uneventfulAfter(0)).toBe(0);
  });
});
