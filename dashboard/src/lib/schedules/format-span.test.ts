import { describe, expect, it } from 'vitest';
import { formatSpan } from './format-span.ts';

describe('a span of time', () => {
  it('formats a duration in its largest whole unit', () => {
    expect([86_400, 172_800, 3_600, 5_400, 60, 1, 45, 0].map(formatSpan)).toEqual([
      '1 day',
      '2 days',
      '1 hour',
      '90 minutes',
      '1 minute',
      '1 second',
      '45 seconds',
      '0 seconds',
    ]);
  });

  it('rounds a duration to a tenth below a minute, and to seconds above', () => {
    expect([1.234, 59.96, 61.4].map(formatSpan)).toEqual(['1.2 seconds', '1 minute', '61 seconds']);
  });
});
