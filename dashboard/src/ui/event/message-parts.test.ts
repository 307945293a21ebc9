import { describe, expect, it } from 'vitest';
import { messageParts } from './message-parts.ts';

const variableOf = (message: string) =>
  messageParts(message)
    .filter(({ varies }) => varies)
    .map(({ text }) => text);

describe('the parts of a message', () => {
  it('marks numbers, ids, addresses and quoted text of a message as variable', () => {
    expect(variableOf('Order 48213 of ada@example.com took 1.5s at 10.0.0.1:80')).toEqual([
      '48213',
      'ada@example.com',
      '1.5s',
      '10.0.0.1:80',
    ]);
    expect(variableOf('Card "visa" was `declined` for \'Ada\'')).toEqual(['"visa"', '`declined`', "'Ada'"]);
  });

  it('marks no word with an apostrophe as variable', () => {
    expect(variableOf("It didn't work and won't")).toEqual([]);
  });

  it('returns parts that join to the message again', () => {
    for (const message of ['', 'plain', '42', 'a 1 b 2 c', '"open', "it's 5 o'clock", '  1  ']) {
      expect(
        messageParts(message)
          .map(({ text }) => text)
          .join(''),
      ).toBe(message);
    }
  });

  it('cuts the parts after the width of a row, and is fast for the longest message', () => {
    const startedMs = performance.now();
    const parts = messageParts('a'.repeat(32_768));
    expect(parts.reduce((length, { text }) => length + text.length, 0)).toBe(300);
    messageParts("'".repeat(32_768));
    messageParts('-.:'.repeat(10_000));
    expect(performance.now() - startedMs).toBeLessThan(200);
  });
});
