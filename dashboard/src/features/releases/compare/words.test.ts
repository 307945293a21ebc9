import { expect, it } from 'vitest';
import type { ComparedGroup } from '../../../lib/api-types.ts';
import {
  type ComparedPair,
  describeChange,
  describeRates,
  errorsOf,
  groupOf,
  toLine,
  toMarkdownLine,
} from './words.ts';

const group = (changes: Partial<ComparedGroup>): ComparedGroup => ({
  id: 'grp_1',
  key: 'SHOP-1',
  title: 'TypeError: unitPrice',
  severity: 'error',
  change: 'worse',
  events: 800,
  baseEvents: 50,
  difference: { value: 0.75, low: 0.7, high: 0.8 },
  ...changes,
});

const comparison = (groups: ComparedGroup[], changes: Partial<ComparedPair> = {}): ComparedPair => ({
  projectId: 'proj_1',
  environment: null,
  release: { version: '4.18.2', events: 1_000, errors: 880, from: null, to: null },
  base: { version: '4.18.1', events: 1_000, errors: 55, from: null, to: null },
  difference: { value: 0.825, low: 0.81, high: 0.84 },
  totals: { worse: groups.length, new: 0, gone: 0 },
  groups,
  ...changes,
});

it('words a change in points with its factor, and in counts with an interval where one is below 20', () => {
  const pair = comparison([]);
  const words = (one: ComparedGroup) => [
    describeRates(groupOf(pair, one), '4.18.1'),
    describeChange(groupOf(pair, one)),
  ];
  expect(describeChange(errorsOf(pair))).toBe('+83 points (16×)');
  expect(words(group({}))).toEqual(['800 per 1,000 events, was 50', '+75 points (16×)']);
  expect(
    words(group({ events: 19, baseEvents: 1, difference: { value: 0.018, low: 0.0042, high: 0.03 } })),
  ).toEqual(['19 of 1,000 events, was 1 of 1,000 events', '+1.8 points (+0.42 to +3)']);
  expect(
    words(group({ events: 25, baseEvents: 0, difference: { value: 0.025, low: -0.001, high: 0.03 } })),
  ).toEqual(['25 per 1,000 events, none in 4.18.1', '+2.5 points (−0.1 to +3)']);
  expect(
    words(group({ events: 45, baseEvents: 50, difference: { value: -0.005, low: -0.01, high: 0 } })),
  ).toEqual(['45 per 1,000 events, was 50', '−0.5 points']);
});

it('sums the comparison up in one line, as text and as Markdown with links', () => {
  const worst = comparison([
    group({ severity: 'warn', title: 'Slow', difference: { value: 0.9, low: 0.8, high: 1 } }),
    group({}),
  ]);
  expect(toLine(worst)).toBe(
    '4.18.2 against 4.18.1: errors 88% of events (5.5%), worst: TypeError: unitPrice 16×',
  );
  expect(toLine(comparison([group({ baseEvents: 0 })]))).toMatch(/unitPrice back, 800 per 1,000 events$/);
  const urls = {
    page: 'https://t.example/app/releases/compare',
    group: (id: string) => `https://t.example/${id}`,
  };
  expect(toMarkdownLine(worst, urls)).toBe(
    '[4.18.2 against 4.18.1](https://t.example/app/releases/compare): errors 88% of events (5.5%), worst: [TypeError: unitPrice](https://t.example/grp_1) 16×',
  );
  expect(toLine(comparison([], { environment: 'staging' }))).toBe(
    '4.18.2 against 4.18.1 in staging: errors 88% of events (5.5%), no error group got worse',
  );
});

it('names a new group as new, and keeps hostile names and titles on one line', () => {
  const hostile = comparison(
    [group({ change: 'new', events: 3, baseEvents: 0, title: `a\n\u202eb ${'x'.repeat(200)}` })],
    {
      release: { version: '[x](y)\n', events: 4, errors: 3, from: null, to: null },
      base: { version: '1', events: 8, errors: 0, from: null, to: null },
    },
  );
  expect(toLine(hostile)).toBe(
    `[x](y) against 1: errors 3 of 4 events (0 of 8 events), worst: a b ${'x'.repeat(96)}… new, 3 of 4 events`,
  );
  expect(toMarkdownLine(hostile, { page: 'p', group: () => 'g' })).toContain(
    String.raw`[\[x\](y) against 1](p)`,
  );
});
