import { describe, expect, it } from 'vitest';
import { describeRate, describeRelease } from './incident-numbers.ts';

describe('the numbers of an incident in a list', () => {
  it.each([
    [{ observed: 46, usual: 0.3, unit: 'per_minute' }, '46/min at first, usually 0.3'],
    [{ observed: 0.5, usual: 0.1, unit: 'per_minute' }, '30/h at first, usually 6'],
    [{ observed: 0, usual: 12, unit: 'per_minute' }, 'none at first, usually 12/min'],
    [{ observed: 40, usual: null, unit: 'per_minute' }, '40/min at first'],
    [{ observed: 35, usual: 1.1, unit: 'percent' }, '35% of payments at first, usually 1.1%'],
    [null, null],
  ] as const)('describes the rate %j as %s', (rate, words) => {
    expect(describeRate({ rate })).toBe(words);
  });

  it.each([
    ['new', [], 'new in 2.0'],
    ['all', [], 'all from 2.0 in this incident'],
    ['returned', ['1.9', '1.8'], 'returned in 2.0, also in 1.9 and 1.8'],
    ['more', [], 'more often in 2.0'],
    ['timing', [], '2.0 deployed shortly before'],
  ] as const)('describes a release that is %s as %s', (says, alsoIn, words) => {
    expect(describeRelease({ release: { version: '2.0', says, alsoIn: [...alsoIn] } })).toBe(words);
  });
});
