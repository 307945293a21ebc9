import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { learnSeasonality, markNight } from './learn-seasonality.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { bandOfWeek, beginSkippedPeriods, beginStep, highestOfDay, lowestOfDay } from './seasonality.ts';
import { meanOfSlots } from './slot-means.ts';

const RESOLUTION = resolutionOf(1);
const START_MS = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;
const DAY = 1_440;
const positionAt = (minute: number) => seasonalPositionOf(RESOLUTION, START_MS + minute * MINUTE_MS);

/** Learns rates of steps, over half an hour each. */
function learn(minutes: number, rateAt: (minute: number) => number): SeriesState {
  const state = new SeriesState();
  for (let minute = 0; minute < minutes; minute++) {
    beginStep(state, positionAt(minute));
    const counts = { known: Float64Array.of(30), observed: Float64Array.of(30 * rateAt(minute)) };
    learnSeasonality(state, { windows: [30], firstLongWindow: 0 }, counts);
  }
  return state;
}

describe('the seasonal band', () => {
  it('leaves the seasonal band open on both sides before yesterday is known', () => {
    const state = new SeriesState();
    expect(highestOfDay(state, positionAt(0))).toBe(0);
    expect(lowestOfDay(state, positionAt(0))).toBe(Number.POSITIVE_INFINITY);
  });

  it('spans the seasonal band over the same quarter hour of yesterday and its neighbours', () => {
    const state = learn(DAY + 60, (minute) => (minute % DAY >= 600 && minute % DAY < 615 ? 1_000 : 100));
    for (const minute of [590, 605, 620]) {
      expect(highestOfDay(state, positionAt(DAY + minute))).toBeGreaterThan(900);
    }
    expect(highestOfDay(state, positionAt(DAY + 700))).toBeLessThan(110);
    expect(lowestOfDay(state, positionAt(DAY + 605))).toBeLessThan(120);
  });

  it('uses the median of three hours of last week, so that one hour with an incident does not count', () => {
    const hour = 60;
    const state = learn(7 * DAY + 60, (minute) => (Math.floor(minute / hour) === 50 ? 1_000 : 100));
    expect(bandOfWeek(state, positionAt(7 * DAY + 50 * hour)).high).toBeLessThan(110);
  });

  it('writes the rates before skipped steps to their own slots and hours', () => {
    const rateAt = (minute: number) => 100 + minute;
    const [evaluated, skipped] = [learn(600, rateAt), learn(600, rateAt)];
    for (let minute = 600; minute < 725; minute++) beginStep(evaluated, positionAt(minute));
    beginSkippedPeriods(skipped, RESOLUTION, START_MS + 600 * MINUTE_MS, START_MS + 725 * MINUTE_MS);
    expect(skipped.toBytes()).toEqual(evaluated.toBytes());
    expect(highestOfDay(skipped, positionAt(DAY + 570))).toBeGreaterThan(600);
    expect(highestOfDay(skipped, positionAt(DAY + 720))).toBe(0);
  });

  it('keeps a mean of each slot over a week, which follows to what it becomes', () => {
    const state = new SeriesState();
    const days = (count: number, rate: number) => {
      for (let minute = 0; minute < count * DAY; minute++) {
        beginStep(state, positionAt(minute));
        state.setSlot(state.slotSum + rate, state.slotSteps + 1);
      }
      return meanOfSlots(state, positionAt(600), 4);
    };
    expect(days(1, 100)).toBeCloseTo(100, -1);
    expect(days(1, 0)).toBeGreaterThan(75);
    expect(days(60, 103)).toBeGreaterThan(92);
    expect(days(60, 103)).toBeLessThan(115);
    expect(days(60, 10)).toBeLessThan(11.5);
  });

  it('knows no mean where one of the slots is not known', () => {
    const state = new SeriesState();
    for (let minute = 0; minute < 600; minute++) {
      beginStep(state, positionAt(minute));
      state.setSlot(state.slotSum + 9, state.slotSteps + 1);
    }
    expect(meanOfSlots(state, positionAt(300), 4)).toBeCloseTo(9, 0);
    expect(meanOfSlots(state, positionAt(600), 4)).toBe(0);
  });

  it('treats silence as normal in the slots of a night, but not beside the current one', () => {
    const state = learn(DAY + 600, () => 100);
    markNight(state, RESOLUTION, positionAt(DAY + 600));
    expect(lowestOfDay(state, positionAt(2 * DAY + 500))).toBe(0);
    expect(lowestOfDay(state, positionAt(2 * DAY + 620))).toBeGreaterThan(90);
  });

  it('computes seasonal positions for times before 1970', () => {
    expect(seasonalPositionOf(RESOLUTION, -MINUTE_MS)).toMatchObject({ slot: 95, slotBegins: false });
  });
});
