import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTable } from './table.ts';
import { cut, displayWidth, toLine, toSafeJson } from './text.ts';

const anyText = fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) });
const UNSAFE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

describe('the text that a terminal gets', () => {
  it('prints any text as one line without control characters and changes of direction', () => {
    fc.assert(fc.property(anyText, (text) => !UNSAFE.test(toLine(text))));
    expect(toLine('a\tb\nc \u001b[2J \u009b1m \u202ex \r')).toBe('a b c \\x1b[2J \\x9b1m \\u202ex \\x0d');
    expect(toLine('👩‍👩‍👧')).toBe('👩‍👩‍👧');
    expect([toLine(null), toLine(undefined), toLine(5), toLine({ a: '\u007f' })]).toEqual([
      '',
      '',
      '5',
      '{"a":"\\x7f"}',
    ]);
  });

  it('prints JSON that is safe on a terminal and the same value to a parser', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const line = toSafeJson(value);
        expect(UNSAFE.test(line)).toBe(false);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('cuts a text to the columns that it takes', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(displayWidth(cut(toLine(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
    expect(cut('漢字漢字', 5)).toBe('漢字…');
    expect(cut('漢字', 4)).toBe('漢字');
    expect(cut('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧 …');
    expect(cut('x'.repeat(9), Number.POSITIVE_INFINITY)).toBe('x'.repeat(9));
  });

  it('fits a table to the terminal by its flexible column, and cuts nothing for a pipe', () => {
    const columns = [
      { title: 'KEY', value: ({ key }: { key: string; text: string }) => key },
      { title: 'TEXT', value: ({ text }: { key: string; text: string }) => text, isFlexible: true },
    ];
    const rows = [
      { key: 'SHOP-1', text: 'x'.repeat(100) },
      { key: 'SHOP-12', text: '漢'.repeat(100) },
    ];
    for (const line of formatTable(columns, rows, 60)) expect(displayWidth(line)).toBeLessThanOrEqual(60);
    expect(formatTable(columns, rows, Number.POSITIVE_INFINITY)[1]).toBe(`SHOP-1   ${'x'.repeat(100)}`);
    expect(formatTable(columns, rows, 10)[1]).toBe(`SHOP-1   ${'x'.repeat(19)}…`);
  });
});
