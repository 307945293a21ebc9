import { DOWN, UP } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../platform/durations.ts';
import { alarm, CHECKOUT, NOW_MS } from '../incidents/testing.ts';
import { findDropOnset, findFirst, findRiseOnset, onsetOf } from './onset.ts';
import { windowOf } from './opened-alarm.ts';

/** Counts of minutes from 0 on. */
const minutes = (...counts: number[]) =>
  counts.flatMap((events, index) => (events > 0 ? [{ minuteMs: index * MINUTE_MS, events }] : []));
/** A search of all of these minutes, whose alarm has the last ones as its window. */
const request = (counts: number[], usualPerMinute: number, windowMinutes = 2) => ({
  counts: minutes(...counts),
  fromMs: 0,
  window: { fromMs: (counts.length - windowMinutes) * MINUTE_MS, toMs: counts.length * MINUTE_MS },
  usualPerMinute,
  observedPerMinute: counts.slice(-windowMinutes).reduce((sum, count) => sum + count, 0) / windowMinutes,
});
const repeat = (count: number, ...of: number[]) => Array.from({ length: count }, () => of).flat();

describe('findRiseOnset', () => {
  it.each<[string, number[], number, { window: number; minute: number }]>([
    ['a burst after nothing', [0, 0, 0, 70, 70, 20], 0.01, { window: 2, minute: 3 }],
    ['a slow beginning', [0, 0, 1, 3, 70], 0.01, { window: 1, minute: 2 }],
    ['a gap within the excess', [0, 40, 0, 0, 40], 0.01, { window: 1, minute: 1 }],
    ['a single event long before', [1, 0, 0, 0, 0, 40], 0.01, { window: 1, minute: 5 }],
    ['usual noise before', [9, 7, 12, 8, 55, 60], 8, { window: 2, minute: 4 }],
    ['rare events', [...repeat(60, 0), ...repeat(12, 1, 0, 0, 0, 0)], 0.01, { window: 60, minute: 60 }],
    ['a slight rise', [...repeat(30, 100, 98), ...repeat(30, 112, 108)], 100, { window: 60, minute: 60 }],
    ['a rise at the end of its window', [...repeat(50, 1, 0), 30, 31], 0.5, { window: 60, minute: 100 }],
  ])('finds the first minute of %s', (_name, counts, usual, { window, minute }) => {
    expect(findRiseOnset(request(counts, usual, window))).toBe(minute * MINUTE_MS);
  });

  it('finds nothing where no minute has more than usual', () => {
    expect(findRiseOnset(request([8, 7, 7], 8))).toBeNull();
  });

  it('does not reach over usual minutes before the window to an earlier excess', () => {
    expect(findRiseOnset(request([90, ...repeat(60, 5), 40, 40], 5))).toBe(61 * MINUTE_MS);
  });
});

describe('findDropOnset', () => {
  it('finds the first minute that is nearer to what was observed than to what is usual', () => {
    expect(findDropOnset(request([10, 9, 11, 2, 0, 1], 10, 3))).toBe(3 * MINUTE_MS);
  });

  it('finds the beginning of a drop that stays above half', () => {
    expect(findDropOnset(request([...repeat(10, 100), ...repeat(20, 70)], 100, 15))).toBe(10 * MINUTE_MS);
  });

  it('does not reach over usual minutes to an earlier time without events', () => {
    expect(findDropOnset(request([10, 0, 0, 0, 10, 10, 10, 10, 10, 2, 0, 1], 10, 3))).toBe(9 * MINUTE_MS);
  });
});

describe('findFirst', () => {
  it('finds the first minute with an event from the minute of a time on', () => {
    expect(findFirst(minutes(4, 0, 2, 3), MINUTE_MS + 1)).toBe(2 * MINUTE_MS);
    expect(findFirst(minutes(4), MINUTE_MS)).toBeNull();
  });
});

describe('onsetOf', () => {
  const window = { fromMs: 10 * MINUTE_MS, toMs: 20 * MINUTE_MS };

  it.each(['rise', 'drop', 'silence', 'failed_payments', 'error_share', 'at_least', 'new_kind'] as const)(
    'never takes the edge of the window for the beginning of a %s',
    (rule) => {
      const side = rule === 'drop' || rule === 'silence' ? DOWN : UP;
      const { anomaly } = alarm(CHECKOUT, side === UP ? 40 : 5, {
        rule,
        side,
        expected: 20,
        windowMinutes: 10,
      });
      expect(onsetOf({ anomaly }, [], window)).toBeNull();
    },
  );

  it('begins a silence after its last event, however long before its window that came', () => {
    const silence = { rule: 'silence', side: DOWN, expected: 20, windowMinutes: 10 } as const;
    for (const seen of [
      { lastEventMinutesAgo: 2_881 },
      { heartbeat: { seenMinutesAgo: 2_881, dueMinutesAgo: 1_441 } },
    ]) {
      const opened = alarm(CHECKOUT, 0, { ...silence, ...seen });
      const searched = windowOf(opened, MINUTE_MS, NOW_MS);
      expect(onsetOf(opened, [], searched)).toBe(NOW_MS - 2_882 * MINUTE_MS + 1);
    }
  });

  it('takes the first minute of the window with an event where no minute has an excess', () => {
    const { anomaly } = alarm(CHECKOUT, 400, { expected: 200, windowMinutes: 10 });
    expect(onsetOf({ anomaly }, minutes(...repeat(13, 0), 3, 5), window)).toBe(13 * MINUTE_MS);
  });
});
