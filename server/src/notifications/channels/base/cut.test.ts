import { expect, it } from 'vitest';
import { cutBytes, cutText } from './cut.ts';

it('cuts between code points, with an ellipsis within the bound', () => {
  expect(cutText('short', 5)).toBe('short');
  expect(cutText('longer', 5)).toBe('long…');
  expect(cutText('💥💥💥', 3)).toBe('💥💥💥');
  expect(cutText('💥💥💥💥', 3)).toBe('💥💥…');
});

it('cuts by bytes without halving a character', () => {
  expect(cutBytes('ü', 2)).toBe('ü');
  expect(cutBytes('💥💥💥', 11)).toBe('💥💥…');
  expect(Buffer.byteLength(cutBytes('ü'.repeat(5_000), 4_096))).toBeLessThanOrEqual(4_096);
});
