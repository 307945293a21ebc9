import { describe, expect, it } from 'vitest';
import { advanceClock, completeUntil, endOfSteps, findDowntimes, findUnknownTimes } from './passed-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const presence = (sinceMs: number, untilMs: number, isCurrent = true) => ({
  sinceMs,
  untilMs,
  isCurrent,
  lostUntilMs: null,
});

describe('what was received', () => {
  it('treats counts as complete up to the slowest ingestion process, less the age of what waits', () => {
    const presences = [presence(0, 100 * SECOND), presence(0, 98 * SECOND), presence(0, 5 * SECOND, false)];
    expect(completeUntil(presences, 0)).toBe(97 * SECOND);
    expect(completeUntil(presences, 10 * SECOND)).toBe(87 * SECOND);
  });

  it('treats no counts as complete while no ingestion process runs', () => {
    expect(completeUntil([], 0)).toBeNull();
    expect(completeUntil([presence(0, 100 * SECOND, false)], 0)).toBeNull();
  });
});

describe('time', () => {
  it('follows the clocks, and never runs backwards', () => {
    expect(advanceClock({ timeMs: MINUTE, shiftMs: 0 }, 2 * MINUTE, 0)).toEqual({
      timeMs: 2 * MINUTE,
      shiftMs: 0,
    });
    expect(advanceClock({ timeMs: MINUTE, shiftMs: 0 }, 50 * SECOND, 0)).toEqual({
      timeMs: MINUTE,
      shiftMs: 0,
    });
  });

  it('continues from its last value after clocks were set back, and follows them again when they leap forward', () => {
    const back = advanceClock({ timeMs: 2 * HOUR, shiftMs: 0 }, HOUR, 0);
    expect(back).toEqual({ timeMs: 2 * HOUR, shiftMs: HOUR });
    const later = advanceClock(back, HOUR + MINUTE, 0);
    expect(later).toEqual({ timeMs: 2 * HOUR + MINUTE, shiftMs: HOUR });
    expect(advanceClock(later, 2 * HOUR + 2 * MINUTE, HOUR)).toEqual({
      timeMs: 2 * HOUR + 2 * MINUTE,
      shiftMs: 0,
    });
  });

  it('keeps its shift through a lag, in which events were taken in all the while', () => {
    const shifted = { timeMs: 2 * HOUR, shiftMs: HOUR };
    expect(advanceClock(shifted, HOUR + 5 * MINUTE, 0)).toEqual({
      timeMs: 2 * HOUR + 5 * MINUTE,
      shiftMs: HOUR,
    });
  });
});

describe('downtimes', () => {
  it('finds downtimes between stretches of presence of any process, unless they are short', () => {
    const presences = [
      presence(0, 10 * MINUTE),
      presence(5 * MINUTE, 12 * MINUTE),
      presence(12 * MINUTE + 10 * SECOND, 20 * MINUTE),
      presence(25 * MINUTE, 30 * MINUTE),
    ];
    expect(findDowntimes(presences, 0, 40 * MINUTE)).toEqual([
      [20 * MINUTE, 25 * MINUTE],
      [30 * MINUTE, 40 * MINUTE],
    ]);
  });

  it('treats the whole time without ingestion processes as one downtime', () => {
    expect(findDowntimes([], MINUTE, 3 * MINUTE)).toEqual([[MINUTE, 3 * MINUTE]]);
  });
});

describe('unknown times', () => {
  it('takes a time as unknown in which one of two processes may have received what it could not store', () => {
    const intervals = [
      presence(0, 40 * MINUTE),
      { ...presence(0, 10 * MINUTE, false), lostUntilMs: 20 * MINUTE },
      { ...presence(21 * MINUTE, 30 * MINUTE, false), lostUntilMs: 30 * MINUTE + 2 * SECOND },
      presence(30 * MINUTE + 2 * SECOND, 40 * MINUTE),
    ];
    const short = [30 * MINUTE, 30 * MINUTE + 2 * SECOND];
    expect(findUnknownTimes(intervals, 0, 40 * MINUTE)).toEqual([[10 * MINUTE, 20 * MINUTE], short]);
    expect(findUnknownTimes(intervals, 15 * MINUTE, 18 * MINUTE)).toEqual([[15 * MINUTE, 18 * MINUTE]]);
    expect(findUnknownTimes(intervals, 20 * MINUTE, 30 * MINUTE)).toEqual([]);
  });
});

it('unites the loss of one process with the downtime that begins in it', () => {
  const intervals = [
    { ...presence(0, 9 * MINUTE, false), lostUntilMs: 19 * MINUTE },
    { ...presence(0, 10 * MINUTE, false), lostUntilMs: 20 * MINUTE },
    presence(10 * HOUR, 11 * HOUR),
  ];
  expect(findUnknownTimes(intervals, 0, 11 * HOUR)).toEqual([[9 * MINUTE, 10 * HOUR]]);
});

describe('the end of the steps that a round goes through', () => {
  it('begins and ends the steps of a round at whole minutes, short downtimes included', () => {
    expect(endOfSteps(10 * HOUR + 20 * SECOND, HOUR, [])).toBe(11 * HOUR);
    expect(endOfSteps(10 * HOUR, HOUR, [[10.5 * HOUR, 13 * HOUR]])).toBe(11 * HOUR);
  });

  it('goes through a mostly skipped downtime as a whole, with the minute in which it ends', () => {
    const downtime: [number, number] = [10.5 * HOUR, 100 * HOUR + SECOND];
    expect(endOfSteps(10 * HOUR, HOUR, [downtime])).toBe(100 * HOUR + MINUTE);
    expect(endOfSteps(20 * HOUR, HOUR, [downtime])).toBe(100 * HOUR + MINUTE);
    expect(endOfSteps(9 * HOUR, HOUR, [downtime])).toBe(10 * HOUR);
    expect(endOfSteps(97 * HOUR, HOUR, [downtime])).toBe(98 * HOUR);
  });
});
