import { describe, expect, it } from 'vitest';
import { formatRow, isMissed, type Row } from './row.ts';

const ROW: Row = { what: 'Single events', value: 0.5, unit: '', bar: null, detail: '5 of 10 a second' };

describe('a row of the table', () => {
  it('holds at its bar and misses it beyond', () => {
    expect(isMissed({ ...ROW, bar: { atLeast: 0.5 } })).toBe(false);
    expect(isMissed({ ...ROW, bar: { atLeast: 0.51 } })).toBe(true);
    expect(isMissed({ ...ROW, bar: { atMost: 0.5 } })).toBe(false);
    expect(isMissed({ ...ROW, bar: { atMost: 0.49 } })).toBe(true);
    expect(isMissed(ROW)).toBe(false);
  });

  it('misses its bar where the figure is not a number', () => {
    expect(isMissed({ ...ROW, value: Number.NaN, bar: { atLeast: 0 } })).toBe(true);
    expect(isMissed({ ...ROW, value: Number.NaN, bar: { atMost: 1 } })).toBe(true);
  });

  it('prints the figure beside its bar, with three digits and its unit, and counts as they are', () => {
    expect(formatRow({ ...ROW, bar: { atLeast: 0.55 } })).toBe(
      '| Single events | 0.50 | ≥ 0.55 | missed | 5 of 10 a second |',
    );
    expect(formatRow({ ...ROW, value: 14.96, unit: 'ms', bar: { atMost: 15 } })).toBe(
      '| Single events | 15.0 ms | ≤ 15 ms | holds | 5 of 10 a second |',
    );
    expect(formatRow({ ...ROW, value: 23_080.4 })).toBe(
      '| Single events | 23,080 | – |  | 5 of 10 a second |',
    );
    expect(formatRow({ ...ROW, value: 100_000, bar: { atLeast: 0 } })).toContain('| 100,000 | ≥ 0 |');
    expect(formatRow({ ...ROW, value: Number.NaN, unit: 'µs' })).toContain('| – µs |');
  });
});
