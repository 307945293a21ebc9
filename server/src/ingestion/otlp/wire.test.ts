import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { LOGS, TRACES } from './messages.ts';
import { delimited, encodeMessage, varint } from './testing.ts';
import { decodeMessage, type MessageTable } from './wire.ts';

const NESTED: MessageTable = {};
NESTED[1] = { name: 'inner', form: NESTED };
const TABLE: MessageTable = {
  1: { name: 'text', form: 'text' },
  2: { name: 'flag', form: 'bool' },
  3: { name: 'whole', form: 'int' },
  4: { name: 'real', form: 'double' },
  5: { name: 'time', form: 'time' },
  6: { name: 'id', form: 'hex' },
  7: { name: 'bytes', form: 'base64' },
  8: { name: 'inner', form: NESTED },
  9: { name: 'list', form: 'text', repeated: true },
  1000: { name: 'far', form: 'raw' },
};
const decode = (bytes: Buffer, table = TABLE) => decodeMessage(bytes, table, 1_000);
const codeOf = (bytes: Buffer, table?: MessageTable) => {
  try {
    decode(bytes, table);
  } catch (error) {
    return error instanceof ApiError ? error.code : error;
  }
  return 'none';
};

describe('decodeMessage', () => {
  it('decodes every form of a field as OTLP/JSON writes it', () => {
    const message = {
      text: 'Größe 🎈',
      flag: true,
      whole: -1,
      real: 0.5,
      time: 1_700_000_000_000_000_000,
      id: '00ff10',
      bytes: Buffer.from('abc').toString('base64'),
      inner: { inner: {} },
      list: ['a', '', 'c'],
      far: Buffer.from('raw'),
    };
    expect(decode(encodeMessage(message, TABLE))).toEqual(message);
    expect(decode(Buffer.alloc(0))).toEqual({});
  });

  it.each([
    [0n, 0],
    [127n, 127],
    [300n, 300],
    [2n ** 28n, 2 ** 28],
    [2n ** 53n - 1n, Number.MAX_SAFE_INTEGER],
    [2n ** 53n, '9007199254740992'],
    [2n ** 63n - 1n, '9223372036854775807'],
    [-(2n ** 63n), '-9223372036854775808'],
    [-5n, -5],
  ])('decodes the integer %d exactly, as digits where a number is not exact', (integer, expected) => {
    expect(decode(Buffer.concat([varint(3 << 3), varint(integer)]))).toEqual({ whole: expected });
  });

  it('skips fields that it does not know, and those of another wire type than the known one', () => {
    const unknown = Buffer.concat([
      delimited(77, Buffer.from('later versions')),
      Buffer.concat([varint((78 << 3) | 5), Buffer.alloc(4)]),
      Buffer.concat([varint((79 << 3) | 1), Buffer.alloc(8)]),
      Buffer.concat([varint(80 << 3), varint(5)]),
      Buffer.concat([varint(1 << 3), varint(5)]),
    ]);
    expect(decode(Buffer.concat([unknown, delimited(1, Buffer.from('known'))]))).toEqual({ text: 'known' });
  });

  it.each([
    ['a text that is longer than the body', Buffer.concat([varint(10), varint(100), Buffer.from('short')])],
    ['a length of four gigabytes', Buffer.concat([varint(10), varint(2n ** 32n - 1n)])],
    ['a length of 64 bits', Buffer.concat([varint(10), varint(2n ** 64n - 1n)])],
    ['a message that is longer than the one around it', delimited(8, Buffer.from([10, 5, 10]))],
    ['a number without an end', Buffer.from([24, 255, 255, 255])],
    ['a number of more than ten bytes', Buffer.from([24, ...Array.from({ length: 11 }, () => 255)])],
    ['a number of eight bytes that ends early', Buffer.concat([varint((4 << 3) | 1), Buffer.alloc(7)])],
    ['a group', Buffer.from([(1 << 3) | 3])],
    ['JSON', Buffer.from('{"resourceLogs":[]}')],
  ])('refuses bytes that are %s', (_what, bytes) => {
    expect(codeOf(bytes)).toBe('bad_request');
  });

  it('refuses messages that are nested too deeply, without overflowing the stack', () => {
    let bytes: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 2_000; depth++) bytes = delimited(1, bytes);
    expect(codeOf(bytes, NESTED)).toBe('bad_request');
  });

  it('refuses a small body of very many fields', () => {
    expect(codeOf(Buffer.concat(Array.from({ length: 1_001 }, () => delimited(9, Buffer.alloc(0)))))).toBe(
      'body_too_large',
    );
  });

  it('answers any bytes with a message or a refusal', () => {
    const tables = [TABLE, LOGS.request, LOGS.item, TRACES.request, TRACES.item];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...tables), (bytes, table) => {
        expect(['none', 'bad_request']).toContain(codeOf(Buffer.from(bytes), table));
      }),
      { numRuns: 2_000 },
    );
  });
});
