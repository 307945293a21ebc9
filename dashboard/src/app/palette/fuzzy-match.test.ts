import { describe, expect, it } from 'vitest';
import { fuzzyMatch } from './fuzzy-match.ts';

describe('the match of a text with the typed query', () => {
  it('matches parts, words in any order, and letters in their order from the start of a word', () => {
    for (const query of ['create', 'project cre', 'crp', 'proj', 'ject', 'CREATE  Project']) {
      expect(fuzzyMatch(query, 'Create project'), query).not.toBeNull();
    }
    for (const query of ['x', 'create incident', 'tcejorp', 'rp']) {
      expect(fuzzyMatch(query, 'Create project'), query).toBeNull();
    }
  });

  it('finds words with accents by their plain letters', () => {
    expect(fuzzyMatch('kase', 'Käse')).not.toBeNull();
    expect(fuzzyMatch('Käse', 'kase')).not.toBeNull();
  });

  it('ranks the start of the text over the start of a word, its middle and scattered letters, and short texts over long ones', () => {
    const scores = ['Shop', 'Shop two', 'My shop', 'Workshop', 'Sorted hot paths'].map(
      (text) => fuzzyMatch('shop', text) ?? 0,
    );
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(5);
  });

  it('treats characters with a meaning in patterns as plain text', () => {
    expect(fuzzyMatch('.*', 'Shop')).toBeNull();
    expect(fuzzyMatch('(', 'f(x)')).not.toBeNull();
    expect(fuzzyMatch('😀', 'a 😀 b')).not.toBeNull();
  });
});
