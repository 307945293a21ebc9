import { describe, expect, it } from 'vitest';
import { DOWN, UP } from '../state/series-state.ts';
import { createBook, dismiss, join, leave, takeEnded } from './alarm-grouping.ts';

const MINUTE_MS = 60_000;
const at = (minute: number) => minute * MINUTE_MS;

describe('alarms', () => {
  it('groups alarms of many series within half an hour of each other into one incident', () => {
    const book = createBook();
    const joined = Array.from({ length: 30 }, (_, series) =>
      join(book, { series: `${series}`, side: UP }, at(series * 20)),
    );
    expect(joined.map(({ isNew }) => isNew).filter(Boolean)).toHaveLength(1);
    expect(book.incidents).toMatchObject([
      { number: 1, series: Array.from({ length: 30 }, (_, i) => `${i}`) },
    ]);
  });

  it('opens another incident for later alarms, or for the other side in another series', () => {
    const book = createBook();
    join(book, { series: '0', side: UP }, at(0));
    expect(join(book, { series: '1', side: DOWN }, at(5))).toMatchObject({ isNew: true });
    expect(join(book, { series: '2', side: UP }, at(31))).toMatchObject({ isNew: true });
  });

  it('groups alarms of the other side in the same series into the same incident for an hour and a half', () => {
    const book = createBook();
    join(book, { series: '0', side: DOWN }, at(0));
    expect(join(book, { series: '0', side: UP }, at(80))).toMatchObject({
      isNew: false,
      incident: { side: DOWN },
    });
  });

  it('ends an incident with its last alarm, once no other can attach any more', () => {
    const book = createBook();
    join(book, { series: '0', side: UP }, at(0));
    join(book, { series: '1', side: UP }, at(1));
    expect(leave(book, { series: '0', side: UP })).toBe(1);
    expect(takeEnded(book, at(600))).toEqual([]);
    expect(leave(book, { series: '1', side: UP })).toBe(1);
    expect(leave(book, { series: '1', side: UP })).toBeNull();
    expect(takeEnded(book, at(31))).toEqual([]);
    expect(takeEnded(book, at(32))).toEqual([1]);
    expect(book.incidents).toEqual([]);
  });

  it('keeps flapping alarms in one incident', () => {
    const book = createBook();
    for (let minute = 0; minute < 120; minute += 20) {
      join(book, { series: '0', side: DOWN }, at(minute));
      leave(book, { series: '0', side: DOWN });
      expect(takeEnded(book, at(minute + 15))).toEqual([]);
    }
    expect(book.nextNumber).toBe(2);
  });

  it('continues alarms in the incident that they are open in, however long ago it was attached', () => {
    const book = createBook();
    join(book, { series: 'kinds', side: UP }, at(0));
    expect(join(book, { series: 'kinds', side: UP }, at(50))).toMatchObject({ isNew: false });
  });

  it('detaches the alarms of an incident that a person has resolved, and opens another one for the next', () => {
    const book = createBook();
    join(book, { series: '0', side: UP }, at(0));
    expect(dismiss(book, 1)).toEqual([{ series: '0', side: UP }]);
    expect(dismiss(book, 1)).toEqual([]);
    expect(join(book, { series: '0', side: UP }, at(1))).toMatchObject({
      isNew: true,
      incident: { number: 2 },
    });
  });
});
