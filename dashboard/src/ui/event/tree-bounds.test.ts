import { describe, expect, it } from 'vitest';
import { cutText, firstEntries, startsOpen } from './tree-bounds.ts';

describe('the first entries', () => {
  it('shows all entries of a small value', () => {
    expect(firstEntries({ a: 1, b: null }, 100)).toEqual({
      entries: [
        ['a', 1],
        ['b', null],
      ],
      left: 0,
    });
    expect(firstEntries(['x'], 100)).toEqual({ entries: [['0', 'x']], left: 0 });
    expect(firstEntries([], 100)).toEqual({ entries: [], left: 0 });
  });

  it('shows the first entries of a huge value, and says how many are left', () => {
    const object = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, index]));
    expect(firstEntries(object, 100)).toMatchObject({ left: 49_900 });
    expect(firstEntries(object, 100).entries).toHaveLength(100);
    expect(firstEntries(Array(1_000).fill(0), 200)).toMatchObject({ left: 800 });
  });

  it('treats keys with a meaning in JavaScript as plain keys', () => {
    const object = JSON.parse('{"__proto__": 1, "constructor": 2, "": 3}') as Record<string, unknown>;
    expect(firstEntries(object, 100).entries).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['', 3],
    ]);
  });
});

it('the root starts open; below it only small values near it', () => {
  const many = Array(1_000).fill(0);
  expect(startsOpen(many, 0)).toBe(true);
  expect(startsOpen(many, 1)).toBe(false);
  expect(startsOpen([1], 1)).toBe(true);
  expect(startsOpen([1], 2)).toBe(false);
});

it('a text is cut between characters', () => {
  expect(cutText('short')).toBe('short');
  expect(cutText('x'.repeat(1_000))).toHaveLength(300);
  expect(cutText('🎉🎉', 3)).toBe('🎉');
});
