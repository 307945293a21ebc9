import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseStrictJson } from './strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return error instanceof ApiError ? error.code : 'another error';
  }
}

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

describe('strict JSON', () => {
  it('parses every storable value unchanged', () => {
    const string = fc
      .string({ unit: 'grapheme' })
      .filter((text) => text.isWellFormed() && !text.includes('\0'));
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), string, (value, text) => {
        const json = JSON.stringify([value, text]);
        if (json.includes('\\u0000')) return;
        expect(JSON.stringify(parse(json))).toBe(json);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"a":1'],
    ['a trailing comma', '[1,]'],
    ['a comment', '{} // x'],
    ['NaN', 'NaN'],
    ['single quotes', "{'a':1}"],
    ['two values', '{}{}'],
  ])('refuses %s as malformed', (_what, text) => {
    expect(codeOf(() => parse(text))).toBe('malformed_json');
  });

  it('refuses bytes that are not UTF-8', () => {
    const invalid = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80]];
    for (const bytes of invalid) {
      const body = Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')]);
      expect(codeOf(() => parseStrictJson(body))).toBe('malformed_json');
    }
  });

  it.each([
    ['a NUL in a value', '{"a":"\\u0000"}'],
    ['a NUL in a key', '{"\\u0000":1}'],
    ['a NUL deep down', '[[[{"a":["x\\u0000y"]}]]]'],
    ['a lone high surrogate', '"\\ud800"'],
    ['a lone low surrogate', '"x\\udc00"'],
    ['surrogates in the wrong order', '"\\udc00\\ud800"'],
    ['a lone surrogate in a key', '{"\\ud800":1}'],
    ['a number beyond all bounds', '[1e400]'],
    ['a number below all bounds', '[-1e400]'],
  ])('refuses %s as not storable', (_what, text) => {
    expect(codeOf(() => parse(text))).toBe('validation_failed');
  });

  it('parses surrogate pairs, the largest numbers and a byte order mark', () => {
    expect(parse('"\\ud83d\\udd25"')).toBe('🔥');
    expect(parse('1.7976931348623157e308')).toBe(Number.MAX_VALUE);
    expect(parse('\uFEFF{}')).toEqual({});
  });

  it('keeps a key __proto__ an ordinary one', () => {
    const value = parse('{"__proto__":{"admin":true}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value.admin).toBeUndefined();
  });

  it('parses 64 levels and refuses more', () => {
    expect(codeOf(() => parse(nested(MAX_JSON_DEPTH)))).toBe('none');
    expect(codeOf(() => parse(nested(MAX_JSON_DEPTH + 1)))).toBe('validation_failed');
    expect(codeOf(() => parse(nested(MAX_JSON_DEPTH, '{"a":', '}').replace('}', '1}')))).toBe('none');
    expect(codeOf(() => parse(nested(MAX_JSON_DEPTH + 1, '{"a":', '}').replace('}', '1}')))).toBe(
      'validation_failed',
    );
    expect(codeOf(() => parse(nested(500_000)))).toBe('validation_failed');
  });

  it('parses 50,000 values and refuses more', () => {
    const list = (values: number, value: string) =>
      `[${Array(values - 1)
        .fill(value)
        .join()}]`;
    for (const value of ['1', '{}', '"a,b"']) {
      expect(codeOf(() => parse(list(MAX_JSON_VALUES, value)))).toBe('none');
      expect(codeOf(() => parse(list(MAX_JSON_VALUES + 1, value)))).toBe('validation_failed');
    }
  });
});
