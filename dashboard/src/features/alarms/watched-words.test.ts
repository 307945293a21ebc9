import { describe, expect, it } from 'vitest';
import { formatRate } from './watched-words.ts';

describe('formatRate', () => {
  it.each([
    [1_234, '1,234 a minute'],
    [1, '1 a minute'],
    [0.5, '30 an hour'],
    [1 / 60, '1 an hour'],
    [2 / 1_440, '2 a day'],
    [0, 'almost never'],
  ])('says %d events a minute as "%s"', (perMinute, text) => {
    expect(formatRate(perMinute)).toBe(text);
  });
});
