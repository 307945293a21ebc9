import { expect, it } from 'vitest';
import {
  HEADING_HEIGHT,
  lastInSight,
  OVERSCAN,
  ROW_HEIGHT,
  scrollTopFor,
  visibleRows,
} from './visible-rows.ts';

const TEN_ROWS = HEADING_HEIGHT + 10 * ROW_HEIGHT;
const at = (row: number) => ({ scrollTop: row * ROW_HEIGHT, height: TEN_ROWS });

it('draws the rows in sight and a few more, however long the list', () => {
  const drawn = visibleRows(at(50_000), 100_000, -1);
  expect(drawn[0]).toBe(50_000 - OVERSCAN);
  expect(drawn.at(-1)).toBe(50_009 + OVERSCAN);
  expect(lastInSight(at(50_000))).toBe(50_009);
});

it('draws no row before the first or behind the last', () => {
  expect(visibleRows(at(0), 5, -1)).toEqual([0, 1, 2, 3, 4]);
  expect(visibleRows(at(0), 0, -1)).toEqual([]);
  expect(visibleRows(at(99_995), 100_000, -1).at(-1)).toBe(99_999);
});

it('draws the active row once, wherever it is', () => {
  expect(visibleRows(at(1_000), 100_000, 3)[0]).toBe(3);
  expect(visibleRows(at(1_000), 100_000, 90_000).at(-1)).toBe(90_000);
  expect(visibleRows(at(1_000), 100_000, 1_002).filter((index) => index === 1_002)).toHaveLength(1);
  expect(visibleRows(at(0), 5, 7)).not.toContain(7);
});

it('scrolls as little as possible to a row, and not at all if it is in sight', () => {
  expect(scrollTopFor(105, at(100))).toBe(at(100).scrollTop);
  expect(scrollTopFor(90, at(100))).toBe(at(90).scrollTop);
  expect(scrollTopFor(110, at(100))).toBe(at(101).scrollTop);
  expect(scrollTopFor(0, at(0))).toBe(0);
});
