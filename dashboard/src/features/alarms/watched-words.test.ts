import { describe, expect, it } from 'vitest';
import { describeThreshold, formatRate } from './watched-words.ts';

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

describe('describeThreshold', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  const nothing = { opening: [], share: null, silence: null, heartbeat: null };
  const opening = (windowSeconds: number, rise: number | null) => ({
    stepSeconds: 60,
    windowSeconds,
    expected: 1,
    rise,
    drop: null,
  });
  const share = {
    of: 'payments' as const,
    usualShare: 0.03,
    opening: [{ windowSeconds: 1_800, events: 30, failures: 6 }],
  };
  const later = { everySeconds: 300, dueAt: '2026-11-21T12:05:00.000Z' };
  const past = { everySeconds: 300, dueAt: '2026-11-21T11:50:00.000Z' };

  it.each([
    [
      'the shortest window, roughly',
      { opening: [opening(600, 90), opening(60, 1_464)] },
      /^opens at about 1,500 in a minute now$/,
    ],
    ['failures', { share, opening: [opening(60, null)] }, /^opens at 6 of 30 payments in 30 min$/],
    [
      'a silence to come',
      { opening: [opening(60, null)], heartbeat: later },
      /^opens without an event until /,
    ],
    [
      'an overdue sender before its counts',
      { opening: [opening(60, 9)], heartbeat: past },
      /^overdue since /,
    ],
    ['a series that is too young', {}, /^still learning$/],
    ['a series that no count opens', { opening: [opening(60, null)] }, /^no count opens an incident now$/],
  ])('describes in one line what opens an incident first: %s', (_, particulars, text) => {
    expect(describeThreshold({ ...nothing, ...particulars }, nowMs)).toMatch(text);
  });
});
