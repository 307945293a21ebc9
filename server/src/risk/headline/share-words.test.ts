import { describe, expect, it } from 'vitest';
import { describeShare } from './share-words.ts';

describe('a share of errors', () => {
  it.each([
    [{ failures: 93, events: 51, usualShare: 0.004 }, '6 of 10 events, usually 4 of 1,000'],
    [{ failures: 999, events: 1, usualShare: 0.0001 }, '999 of 1,000 events, usually 1 of 10,000'],
    [{ failures: 650, events: 350, usualShare: 0.031 }, '65 of 100 events, usually 3 of 100'],
    [{ failures: 170, events: 9_830, usualShare: 0.003 }, '17 of 1,000 events, usually 3 of 1,000'],
    [{ failures: 44, events: 156, usualShare: 0.0131 }, '2 of 10 events, usually 13 of 1,000'],
    [{ failures: 98, events: 2, usualShare: 0.01 }, '98 of 100 events, usually 1 of 100'],
    [{ failures: 98, events: 0, usualShare: 0.01 }, '100 of 100 events, usually 1 of 100'],
    [{ failures: 20, events: 999_980, usualShare: 0 }, '20 of 1,000,000 events, normally close to none'],
    [{ failures: 19, events: 1_000, usualShare: 0.002 }, '19 of 1,019 events, usually 2 of 1,000'],
    [{ failures: 40, events: 100_000, usualShare: 0.001 }, '4 of 10,000 events, usually 1 of 1,000'],
    [{ failures: 2, events: 0, usualShare: 0.5 }, '2 of 2 events, usually 3 of 10'],
  ])('words %j as %s', (exposure, words) => {
    expect(describeShare(exposure)).toBe(words);
  });
});
