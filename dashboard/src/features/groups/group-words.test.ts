import { describe, expect, it } from 'vitest';
import { describeReleases, describeState, isNew } from './group-words.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const state = {
  state: 'open',
  resolution: null,
  resolvedIn: null,
  muteUntil: null,
  muteForCount: null,
  mutePeriodSeconds: null,
} as const;

describe('the state of a group in words', () => {
  it('names the release of a resolution, or the one after which it counts', () => {
    const resolved = { ...state, state: 'resolved', resolvedIn: '4.18.0' } as const;
    expect(describeState({ ...resolved, resolution: 'now' }, NOW)).toBe('resolved');
    expect(describeState({ ...resolved, resolution: 'current' }, NOW)).toBe('resolved in 4.18.0');
    expect(describeState({ ...resolved, resolution: 'next' }, NOW)).toBe(
      'resolved in the release after 4.18.0',
    );
  });

  it('names what ends a mute', () => {
    const muted = { ...state, state: 'muted' } as const;
    expect(describeState(muted, NOW)).toBe('muted');
    expect(describeState({ ...muted, muteForCount: 1_000 }, NOW)).toBe('muted for 1,000 more events');
    expect(describeState({ ...muted, muteForCount: 100, mutePeriodSeconds: 3_600 }, NOW)).toBe(
      'muted until 100 events in 1 h',
    );
    expect(describeState({ ...muted, muteUntil: '2026-11-29T12:00:00.000Z' }, NOW)).toMatch(
      /^muted until 29 Nov, \d\d:00$/,
    );
  });
});

describe('the releases of a group', () => {
  it('names a single release once, and none if no event has one', () => {
    expect(describeReleases({ firstRelease: '1.0', lastRelease: '1.0' })).toBe('1.0');
    expect(describeReleases({ firstRelease: '1.0', lastRelease: '1.1' })).toBe('1.0 – 1.1');
    expect(describeReleases({ firstRelease: null, lastRelease: null })).toBeNull();
  });
});

describe('a new group', () => {
  it('counts a group as new for a day after its first event', () => {
    expect(isNew({ firstSeen: '2026-11-21T12:00:00.001Z' }, NOW)).toBe(true);
    expect(isNew({ firstSeen: '2026-11-21T12:00:00.000Z' }, NOW)).toBe(false);
  });
});
