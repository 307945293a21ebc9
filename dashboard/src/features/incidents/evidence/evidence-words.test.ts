import { describe, expect, it } from 'vitest';
import { describeReleases } from './evidence-words.ts';

describe('describeReleases', () => {
  const of = (version: string | null, allReleases: string[], otherAllReleases = 0) =>
    describeReleases({ releases: [{ version, count: 9 }], otherReleases: 0, allReleases, otherAllReleases });

  it.each([
    ['the only one', of('2.0', ['2.0']), 'only in 2.0'],
    [
      'those before it',
      of('2.0', ['2.0', '1.9', '1.8']),
      'all from 2.0 in this incident, previously in 1.9, 1.8',
    ],
    ['no later one', of('2.0', ['3.0', '2.0', '1.9']), 'all from 2.0 in this incident, previously in 1.9'],
    ['that later ones have it, too', of('2.0', ['3.0', '2.0']), 'all from 2.0 in this incident'],
    [
      'how many more came before',
      of('2.0', ['2.0', '1.9'], 3),
      'all from 2.0 in this incident, previously in 1.9, 3 more',
    ],
    [
      'none where it is older than those listed',
      of('1.0', ['3.0', '2.0'], 3),
      'all from 1.0 in this incident',
    ],
    ['none for events without one', of(null, ['2.0']), null],
  ])('names beside the release of the events %s', (_name, described, words) => {
    expect(described).toBe(words);
  });

  it('names no release where the events are of several', () => {
    const releases = [
      { version: '2.0', count: 9 },
      { version: '1.9', count: 1 },
    ];
    const all = { allReleases: ['2.0', '1.9'], otherAllReleases: 0 };
    expect(describeReleases({ releases, otherReleases: 0, ...all })).toBeNull();
    expect(describeReleases({ releases: releases.slice(0, 1), otherReleases: 1, ...all })).toBeNull();
  });
});
