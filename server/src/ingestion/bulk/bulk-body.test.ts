import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { findElements, findLines, MAX_BULK_EVENTS, type Span } from './bulk-body.ts';

const cut = (body: Buffer, spans: Span[]) => spans.map(({ start, end }) => body.toString('utf8', start, end));
const linesOf = (text: string) => cut(Buffer.from(text), findLines(Buffer.from(text)));
const elementsOf = (text: string) => cut(Buffer.from(text), findElements(Buffer.from(text)));

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.message}` : 'another error';
  }
}
const NONE = 'validation_failed: The body holds no event.';
const MORE = 'validation_failed: The body holds more than 10000 events.';
const MALFORMED = 'malformed_json: The body cannot be parsed as JSON.';

describe('the lines of a bulk body', () => {
  it('finds the lines that a split at line feeds gives, without blank ones', () => {
    const piece = fc.constantFrom('\n', '\n\n', ' ', '\t', '\r', '\v', '\f', '{}', '1', 'é', '🔥', '"a b"');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
        const text = pieces.join('');
        const expected = text.split('\n').filter((line) => line.trim() !== '');
        if (expected.length === 0) expect(codeOf(() => linesOf(text))).toBe(NONE);
        else expect(linesOf(text)).toEqual(expected);
      }),
    );
  });

  it('begins the lines of a bulk body behind a byte order mark', () => {
    expect(linesOf('\uFEFF{}\n{}')).toEqual(['{}', '{}']);
    expect(codeOf(() => linesOf('\uFEFF\n'))).toBe(NONE);
  });

  it('accepts 10,000 lines between any number of blank ones, and no more', () => {
    const blank = '\n \r\n'.repeat(50);
    const lines = `${blank}1\n`.repeat(MAX_BULK_EVENTS) + blank;
    expect(linesOf(lines)).toHaveLength(MAX_BULK_EVENTS);
    expect(codeOf(() => linesOf(`${lines}1`))).toBe(MORE);
  });
});

describe('the elements of a bulk body that is an array', () => {
  it('finds the elements of an array that parsing gives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.constantFrom(undefined, 1, '\t'),
        (values, space) => {
          const text = ` ${JSON.stringify(values, null, space)}\r\n`;
          const elements = elementsOf(text).map((element) => JSON.parse(element) as unknown);
          expect(JSON.stringify(elements)).toBe(JSON.stringify(values));
        },
      ),
    );
  });

  it('finds elements in exactly the texts that JSON.parse accepts as an array, once each element is parsed', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      '1',
      ' ',
      '{"a":[1]}',
      'null',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = `[${pieces.join('')}`;
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = null;
        }
        let found: unknown;
        try {
          found = elementsOf(text).map((element) => JSON.parse(element) as unknown);
        } catch (error) {
          found = error instanceof ApiError && error.code === 'validation_failed' ? [] : null;
        }
        expect(found).toEqual(parsed);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['nothing', '', MALFORMED],
    ['white space', ' \n', MALFORMED],
    ['an empty array', ' [ ] ', NONE],
    ['an object', '{"a":[1]}', 'validation_failed: The body must be an array of events.'],
    ['an array that does not end', '[1', MALFORMED],
    ['an array that the wrong bracket ends', '[1}', MALFORMED],
    ['a text that does not end', '["a]', MALFORMED],
    ['two arrays', '[1][1]', MALFORMED],
    ['five million open brackets', '['.repeat(5_000_000), MALFORMED],
    ['five million numbers', `[${'1,'.repeat(5_000_000)}1]`, MORE],
  ])('looks for no elements in %s', (_what, text, problem) => {
    expect(codeOf(() => elementsOf(text))).toBe(problem);
  });

  it('begins the elements behind a byte order mark, and looks for none in invalid UTF-8', () => {
    expect(elementsOf('\uFEFF[1, 2]')).toEqual(['1', '2']);
    const bytes = Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]);
    expect(codeOf(() => findElements(bytes))).toBe('malformed_json: The body is not valid UTF-8.');
  });

  it('accepts an array of 10,000 elements, and no more', () => {
    const array = (count: number) => `[${Array(count).fill('{"a":[1,2]}').join()}]`;
    expect(elementsOf(array(MAX_BULK_EVENTS))).toHaveLength(MAX_BULK_EVENTS);
    expect(codeOf(() => elementsOf(array(MAX_BULK_EVENTS + 1)))).toBe(MORE);
  });
});
