import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMoreValues } from './json-bytes.ts';

function countValues(value: unknown): number {
  const children = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return children.reduce((sum: number, child) => sum + countValues(child), 1);
}

describe('the values in a body', () => {
  it('counts the values in a body before parsing exactly as after', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const count = countValues(JSON.parse(text));
        // Followed by spaces, so that a body of few values is checked as well.
        const json = Buffer.from(text + ' '.repeat(2 * count + 2));
        expect(hasMoreValues(json, count)).toBe(false);
        expect(hasMoreValues(json, count - 1)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['numbers', '[1,1,1]', 4],
    ['empty objects', '[{},{ },{\n}]', 4],
    ['empty lists in lists', '[[],[[]]]', 4],
    ['members, of which only the values count', '{"a":1,"b":{"c":[]}}', 4],
    ['texts with brackets, commas and quotes in them', String.raw`["[,{\"]","\\",""]`, 4],
  ])('accepts a body of %s', (_what, text, count) => {
    const json = Buffer.from(text + ' '.repeat(20));
    expect(hasMoreValues(json, count)).toBe(false);
    expect(hasMoreValues(json, count - 1)).toBe(true);
  });

  it('never counts more values than the bytes of a body can hold', () => {
    for (const count of [1, 2, 50, 51]) {
      const json = Buffer.from(`[${Array(count).fill(1).join()}]`);
      expect(hasMoreValues(json, count + 1)).toBe(false);
      expect(hasMoreValues(json, count)).toBe(true);
    }
  });

  it('scans a body that is not JSON to its end, and not further', () => {
    for (const text of ['"', '"\\', '[[[[', ']]]]', '{"a":"', ',']) {
      expect(hasMoreValues(Buffer.from(text.repeat(10)), 0)).toBe(true);
    }
  });
});
