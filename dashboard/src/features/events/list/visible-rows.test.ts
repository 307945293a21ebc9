import { expect, it } from 'vitest';
import {
  assignElements,
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

it('keeps the element of a row that stays, and gives those of the others to new rows', () => {
  const before = assignElements(new Map(), ['a', 'b', 'c', 'd'], true);
  expect([...before]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ]);
  expect([...assignElements(before, ['c', 'd', 'e', 'f', 'g'], true)]).toEqual([
    ['c', 2],
    ['d', 3],
    ['e', 0],
    ['f', 1],
    ['g', 4],
  ]);
  expect([...assignElements(before, ['x', 'y'], true).values()]).toEqual([0, 1]);
});

it('moves no element of a row that stays where rows appear before it', () => {
  const before = assignElements(new Map(), ['c', 'd', 'e', 'f'], true);
  expect([...assignElements(before, ['a', 'b', 'c', 'd'], true)]).toEqual([
    ['a', 4],
    ['b', 5],
    ['c', 0],
    ['d', 1],
  ]);
});

it('keeps the order of elements where no row stays', () => {
  const before = assignElements(new Map(), ['a', 'b', 'c'], true);
  const scrolled = assignElements(before, ['b', 'c', 'd'], true);
  expect([...scrolled.values()]).toEqual([1, 2, 0]);
  expect([...assignElements(scrolled, ['x', 'y', 'z'], true).values()]).toEqual([1, 2, 0]);
});

it('gives new rows elements of their own while text is selected', () => {
  const before = assignElements(new Map(), ['a', 'b', 'c'], true);
  expect([...assignElements(before, ['b', 'c', 'd'], false)]).toEqual([
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ]);
});
