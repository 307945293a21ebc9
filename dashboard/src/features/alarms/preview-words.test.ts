import { describe, expect, it } from 'vitest';
import type { Preview } from '../../lib/api-types.ts';
import { describeOrigins } from './preview-words.ts';

type Rule = Preview['incidents'][number]['rule'];

describe('the incidents of a preview', () => {
  it.each<[Rule[], string | null]>([
    [[], null],
    [['rise', 'silence'], null],
    [['rise', 'at_least', 'at_least'], '1 from the budget, 2 from your rules'],
    [['at_least'], '0 from the budget, 1 from your rules'],
    [['drop', 'new_kind'], '1 from the budget, 1 from errors never seen before'],
  ])('tells those by rules %j from those by the budget: %s', (rules, words) => {
    expect(describeOrigins(rules.map((rule) => ({ rule })))).toBe(words);
  });
});
