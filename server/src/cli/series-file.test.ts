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

  it('adds up what is finer than the step, and nothing is judged finer than a minute', () => {
    expect(countsOf('0,1\n60,2\n120,3\n180,', 120)).toEqual([3, Number.NaN]);
    expect(parseSeries('0,1\n5,2\n60,3', null)).toMatchObject({ stepMinutes: 1, startMs: 0 });
    expect(countsOf('0,1\n5,2\n60,3', null)).toEqual([3, 3]);
    expect(parseSeries(`0,1\n${(3 * MINUTE_MS) / 1000},1`, 60).counts).toHaveLength(4);
  });

  it.each([
    ['', ': there are no rows in it.'],
    ['timestamp,value\n', ': there are no rows in it.'],
    ['0,1', ': one row does not tell how long a step is; say it with --step.'],
    ['0,1\n60,x', ', line 2: "x" is no number.'],
    ['0,1\n60,0x10', ', line 2: "0x10" is no number.'],
    ['time,n\n0,1\n60,-2', ', line 3: "-2" is negative, and a count is not.'],
    ['0,1\n60,1e13', ', line 2: "1e13" is too large for a count.'],
    ['60,1\n0,2', ', line 2: the time is before that of the line before it.'],
    ['60,1\n60,2', ', line 2: the time of the line before it once more.'],
    ['0,1\n2026-02-30 00:00:00,2', ', line 2: "2026-02-30 00:00:00" is no time.'],
    ['0,1\nlater,2', ', line 2: "later" is no time.'],
    ['0,1,2\n60,2', ', line 1: 3 fields instead of timestamp,value.'],
    ['0\n60', ', line 1: 1 fields instead of timestamp,value.'],
    ['0,1\n90000,2', ': its rows are more than a day apart; say how long a step is with --step.'],
    ['0,1\n60,2\n1767607200,3', /^: it spans \d+ steps, at most 20000000 are taken\.$/],
  ])('refuses a wrong file of past counts with the fault and its position: %j', (text, message) => {
    expect(() => parseSeries(text, null)).toThrow(message);
  });
});

function countsOf(text: string, stepSeconds: number | null): number[] {
  return Array.from(parseSeries(text, stepSeconds).counts);
}
