import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { DOWN } from '../state/side.ts';
import { SeriesTable } from './series-table.ts';

const NEW = {
  weight: 1.1,
  part: 0.15,
  isErrorSeries: true,
  isPartial: false,
};

describe('the series of a group', () => {
  it('finds what was changed of a series, and of its state, by its index', () => {
    const table = new SeriesTable(resolutionOf(1));
    for (let index = 0; index < 40; index++) table.add(index, NEW);
    for (const index of table.indices()) {
      const series = table.peek(index);
      series.count = 1e12 - index;
      series.lateCount = index;
      series.uneventfulCount = 2 * index;
      series.isPartial = index % 2 === 0;
      series.state.age = 100 + index;
    }
    for (const index of table.indices()) {
      const {
        count,
        lateCount,
        uneventfulCount,
        isPartial,
        hasNewCounts,
        isErrorSeries,
        weight,
        part,
        state,
      } = table.peek(index);
      expect([count, lateCount, uneventfulCount, state.age]).toEqual([
        1e12 - index,
        index,
        2 * index,
        100 + index,
      ]);
      expect([isPartial, hasNewCounts, isErrorSeries]).toEqual([index % 2 === 0, false, true]);
      expect([weight, part]).toEqual([1.1, 0.15]);
    }
  });

  it('begins anew where an index belongs to another series, its alarm as well', () => {
    const table = new SeriesTable(resolutionOf(1));
    table.add(0, NEW).state.setStatus(DOWN, 1);
    table.remove(0);
    expect(table.find(0)).toBeNull();
    const { state, uneventfulCount } = table.add(0, NEW);
    expect([state.status(DOWN), state.age, uneventfulCount]).toEqual([0, 0, -1]);
  });
});
