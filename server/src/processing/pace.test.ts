import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

const taken = (events: number) => ({ events, isFull: false });

/** @returns the interval after some statements, each of as many events as arrived since the one before */
function intervalAt(eventsASecond: number, pace = new Pace(), startMs = 0): number {
  let nowMs = startMs;
  pace.record(taken(0), nowMs);
  for (let time = 0; time < 20; time++) {
    const gatheredMs = pace.intervalMs;
    nowMs += gatheredMs;
    pace.record(taken((eventsASecond * gatheredMs) / 1_000), nowMs);
  }
  return pace.intervalMs;
}

it('stores events every 50 ms while few arrive', () => {
  expect(intervalAt(0)).toBe(50);
  expect(intervalAt(1_000)).toBe(50);
  expect(intervalAt(2_000)).toBe(50);
});

it('lets events gather for up to 150 ms under load, and no longer', () => {
  expect(intervalAt(5_000)).toBe(150);
  expect(intervalAt(20_000)).toBe(150);
});

it('stores bulk sooner: large statements gain nothing from gathering', () => {
  expect(intervalAt(50_000)).toBe(80);
  expect(intervalAt(200_000)).toBe(50);
});

it('returns to 50 ms with the first statement after the load', () => {
  const pace = new Pace();
  expect(intervalAt(20_000, pace)).toBe(150);
  pace.record(taken(1), 60_000);
  expect(pace.intervalMs).toBe(50);
});

it('goes on after 50 ms while a statement cannot take all that waits', () => {
  const pace = new Pace();
  expect(intervalAt(20_000, pace)).toBe(150);
  pace.record({ events: 3_000, isFull: true }, 3_150);
  expect(pace.intervalMs).toBe(50);
});

it('begins with 50 ms, whatever the first statement stores', () => {
  const pace = new Pace();
  pace.record(taken(100_000), 1_000);
  expect(pace.intervalMs).toBe(50);
});
