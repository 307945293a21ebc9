import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../platform/durations.ts';
import { parseSeries } from './series-file.ts';

describe('a file of past counts', () => {
  it.each([
    ['2026-01-05T10:00:00Z,4\n2026-01-05T10:01:00Z,5\n'],
    ['2026-01-05 10:00:00,4\r\n2026-01-05 10:01:00,5\r\n'],
    ['\uFEFFtimestamp,value\n1767607200,4\n1767607260,5'],
    ['"2026-01-05T11:00:00+01:00","4"\n\n"2026-01-05T11:01:00+01:00","5"\n'],
  ])('accepts times of past counts in several forms: %j', (text) => {
    const { startMs, stepMinutes, counts } = parseSeries(text, null);
    expect({ startMs, stepMinutes, counts: [...(counts as Float64Array)] }).toEqual({
      startMs: Date.UTC(2026, 0, 5, 10),
      stepMinutes: 1,
      counts: [4, 5],
    });
  });

  it('reads missing and empty values of past counts as unknown', () => {
    expect(countsOf('0,1\n60,\n120,3\n300,4\n360,5', null)).toEqual([
      1,
      Number.NaN,
      3,
      Number.NaN,
      Number.NaN,
      4,
      5,
    ]);
  });

  it('uses the commonest distance of rows as step, and assigns times that stray a little', () => {
    expect(countsOf('0,1\n300,2\n602,3\n899,4\n1200,5', null)).toEqual([1, 2, 3, 4, 5]);
  });

  it('adds up what is finer than the step, and nothing is evaluated finer than a minute', () => {
    expect(countsOf('0,1\n60,2\n120,3\n180,', 120)).toEqual([3, Number.NaN]);
    expect(parseSeries('0,1\n5,2\n60,3', null)).toMatchObject({ stepMinutes: 1, startMs: 0 });
    expect(countsOf('0,1\n5,2\n60,3', null)).toEqual([3, 3]);
    expect(parseSeries(`0,1\n${(3 * MINUTE_MS) / 1000},1`, 60).counts).toHaveLength(4);
  });

  it('adds up rows of one time where they are finer than the step', () => {
    const { counts, warnings } = parseSeries('0,9\n5,1\n5,2\n10,7\n60,5\n65,8', null);
    expect(counts).toEqual(Float64Array.of(19, 13));
    expect(warnings).toEqual([]);
  });

  it('keeps the first of the values of a local time that the end of daylight saving repeats, and warns', () => {
    const hours = '2025-10-26 01:00,11\n2025-10-26 02:00,12\n2025-10-26 02:00,13\n2025-10-26 03:00,14';
    expect(parseSeries(hours, null)).toMatchObject({
      stepMinutes: 60,
      counts: Float64Array.of(11, 12, 14),
      warnings: [
        ', line 3: it repeats the time of an earlier row, as local time does at the end of daylight saving time; the first is kept.',
      ],
    });
    const timeOf = (minute: number) =>
      `2025-10-26 0${Math.floor(minute / 60)}:${`${minute % 60}`.padStart(2, '0')}`;
    const minutes = Array.from({ length: 240 }, (_, i) => (i < 180 ? i : i - 60));
    const text = minutes.map((minute, i) => `${timeOf(minute)},${i + 10}`).join('\n');
    const { counts, warnings } = parseSeries(text, null);
    expect(counts).toEqual(Float64Array.from({ length: 180 }, (_, i) => i + 10));
    expect(warnings).toEqual([expect.stringMatching(/^, line 181: it repeats .*, and so do 59 more, /)]);
  });

  it.each([
    [60, '2026-01-05 00:00,8\n2026-01-05 01:00,9\n2026-01-05 03:00,7', [8, 9, Number.NaN, 7]],
    [1_440, '2026-01-05,8\n2026-01-06,9\n2026-01-07,7', [8, 9, 7]],
    [10_080, '2026-01-05,8\n2026-01-12,9\n2026-01-19,7', [8, 9, 7]],
  ])('reads steps of %d minutes', (stepMinutes, text, counts) => {
    expect(parseSeries(text, null)).toMatchObject({
      stepMinutes,
      counts: Float64Array.from(counts),
      warnings: [],
    });
  });

  it.each([
    [
      'shares',
      () => 0.04,
      [/^: no window holds 5 events.*nothing can open/, /^: 100% of its values are not whole/],
    ],
    ['small counts', (i: number) => i % 4, [/^: 100% of its values above 0 are below 5.*little can open/]],
    ['zeros', () => 0, [/^: no window holds 5 events.*nothing can open/]],
    ['means', (i: number) => 20 + (i % 7) / 10 + 0.05, [/^: 100% of its values are not whole/]],
    ['rare bursts', (i: number) => (i % 50 === 0 ? 30 : 0), []],
    ['counts', (i: number) => 20 + (i % 7), []],
  ])('warns of values that can hardly open anything: %s', (_, valueAt, patterns) => {
    const text = Array.from({ length: 200 }, (__, i) => `${60 * i},${valueAt(i)}`).join('\n');
    const { warnings } = parseSeries(text, null);
    expect(warnings).toEqual(patterns.map((pattern: RegExp) => expect.stringMatching(pattern)));
  });

  it.each([
    ['', ': there are no rows in it.'],
    ['timestamp,value\n', ': there are no rows in it.'],
    ['0,1', ': rows of one time do not show the step length; set it with --step.'],
    ['60,1\n60,2', ': rows of one time do not show the step length; set it with --step.'],
    ['0,1\n60,x', ', line 2: "x" is not a number.'],
    ['0,1\n60,0x10', ', line 2: "0x10" is not a number.'],
    ['time,n\n0,1\n60,-2', ', line 3: "-2" is negative, and a count is not.'],
    ['0,1\n60,1e13', ', line 2: "1e13" is too large for a count.'],
    ['60,1\n0,2', ', line 2: the time is before that of the line before it.'],
    ['120,1\n60,2\n0,3', ', line 2: the time is before that of the line before it.'],
    ['0,1\n60,2\n7200,3\n60,4', ', line 4: the time is before that of the line before it.'],
    ['0,1\n2026-02-30 00:00:00,2', ', line 2: "2026-02-30 00:00:00" is not a time.'],
    ['0,1\nlater,2', ', line 2: "later" is not a time.'],
    ['0,1,2\n60,2', ', line 1: 3 fields instead of timestamp,value.'],
    ['0\n60', ', line 1: 1 fields instead of timestamp,value.'],
    ['0,1\n691200,2', ': its rows are more than a week apart; set the step length with --step.'],
    ['0,1\n60,2\n1767607200,3', /^: it spans \d+ steps, and at most 20000000 are allowed\.$/],
  ])('refuses a wrong file of past counts with the fault and its position: %j', (text, message) => {
    expect(() => parseSeries(text, null)).toThrow(message);
  });
});

function countsOf(text: string, stepSeconds: number | null): number[] {
  return Array.from(parseSeries(text, stepSeconds).counts);
}
