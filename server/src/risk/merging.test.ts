import { describe, expect, it } from 'vitest';
import { createBook, forgetEnded, join, leave } from './merging.ts';
import { DOWN, UP } from './series-memory.ts';

const MINUTE_MS = 60_000;
const at = (minute: number) => minute * MINUTE_MS;

describe('alarms', () => {
  it('of many series within half an hour of each other are one incident', () => {
    const book = createBook();
    const joined = Array.from({ length: 30 }, (_, series) =>
      join(book, { series, side: UP, atMs: at(series * 20) }),
    );
    expect(joined.map(({ isNew }) => isNew).filter(Boolean)).toHaveLength(1);
    expect(book.incidents).toMatchObject([{ number: 1, series: Array.from({ length: 30 }, (_, i) => i) }]);
  });

  it('that come later, or of the other side in another series, are another incident', () => {
    const book = createBook();
    join(book, { series: 0, side: UP, atMs: at(0) });
    expect(join(book, { series: 1, side: DOWN, atMs: at(5) })).toMatchObject({ isNew: true });
    expect(join(book, { series: 2, side: UP, atMs: at(31) })).toMatchObject({ isNew: true });
  });

  it('of the other side in the same series are of the same incident for an hour and a half', () => {
    const book = createBook();
    join(book, { series: 0, side: DOWN, atMs: at(0) });
    expect(join(book, { series: 0, side: UP, atMs: at(80) })).toMatchObject({
      isNew: false,
      incident: { side: DOWN },
    });
  });

  it('are over with the last of them', () => {
    const book = createBook();
    join(book, { series: 0, side: UP, atMs: at(0) });
    join(book, { series: 1, side: UP, atMs: at(1) });
    expect(leave(book, { series: 0, side: UP })).toMatchObject({ isLast: false });
    expect(leave(book, { series: 1, side: UP })).toMatchObject({ isLast: true, incident: { number: 1 } });
    expect(leave(book, { series: 1, side: UP })).toBeNull();
  });

  it('are remembered until nothing can join them, and while one is open', () => {
    const book = createBook();
    join(book, { series: 0, side: UP, atMs: at(0) });
    forgetEnded(book, at(600));
    expect(book.incidents).toHaveLength(1);
    leave(book, { series: 0, side: UP });
    forgetEnded(book, at(90));
    expect(book.incidents).toHaveLength(1);
    forgetEnded(book, at(91));
    expect(book.incidents).toEqual([]);
  });
});
