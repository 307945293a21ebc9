import { describe, expect, it } from 'vitest';
import { upwardArrowOf } from '../../../scripts/imports/find-breaches.mjs';
import { findCycles, measureSize } from '../../../scripts/size/measure.mjs';

const lines = (count: number) => '\n'.repeat(count);

/** Returns a function of so many lines, its own two included. */
const functionOf = (count: number, head = 'function f()') => `${head} {${lines(count - 1)}}\n`;

describe('the size of the repository', () => {
  const measure = (files: Record<string, string>) =>
    measureSize(Object.keys(files), (file) => files[file] ?? '');

  it('counts lines of source and tests apart, without the detector and what is not code', () => {
    const size = measure({
      'server/src/a.ts': lines(3),
      'server/migrations/1.sql': lines(4),
      'server/src/a.test.ts': lines(10),
      'server/test/support/b.ts': lines(20),
      'server/src/testing.ts': lines(30),
      'packages/detector/src/c.ts': lines(500),
      'packages/detector/src/c.test.ts': lines(40),
      'docs/a.md': lines(600),
    });
    expect(size).toEqual({ sourceLines: 7, testLines: 100, longFunctions: [], longFiles: [] });
  });

  it('finds functions of more than 70 lines in any form, and files of more than 200', () => {
    const size = measure({
      'a.ts': functionOf(70) + functionOf(71),
      'b.tsx': `export const B = ${functionOf(72, '() =>')}`,
      'c.mjs': `class C { ${functionOf(73, 'm()')} }\n`,
      'd.css': lines(200),
      'e.sql': lines(201),
      'packages/detector/src/f.ts': functionOf(300),
    });
    expect(size.longFunctions).toEqual(['73 c.mjs:1', '72 b.tsx:1', '71 a.ts:71']);
    expect(size.longFiles).toEqual(['201 e.sql']);
  });

  it('finds files that import each other, by other files as well', () => {
    const arrow = (text: string) => ({ from: text.charAt(0), to: text.charAt(1) });
    const imports = ['ab', 'bc', 'ca', 'cd', 'de', 'fe', 'gh', 'hg', 'ha'].map(arrow);
    expect(findCycles(imports)).toEqual([
      ['a', 'b', 'c'],
      ['g', 'h'],
    ]);
    expect(findCycles(['ab', 'ac', 'bd', 'cd'].map(arrow))).toEqual([]);
  });

  it('finds an import that does not lead down the order', () => {
    const [low, high] = ['server/src/platform/clock.ts', 'server/src/incidents/schema.ts'];
    expect(upwardArrowOf({ from: low, to: high })).toEqual({
      from: 'server/src/platform/',
      to: 'server/src/incidents/',
    });
    expect(upwardArrowOf({ from: high, to: low })).toBeNull();
  });
});
