import { describe, expect, it } from 'vitest';
import { tomorrowMorning } from '../../../lib/tomorrow-morning.ts';
import { muteChoices } from './mute-choices.ts';

describe('the usual ways to mute', () => {
  it('ends a mute at nine on the next morning of the chosen zone', () => {
    const lateMs = Date.parse('2026-11-30T23:59:00.000Z');
    expect(new Date(tomorrowMorning(lateMs, 'UTC')).toISOString()).toBe('2026-12-01T09:00:00.000Z');
    const local = new Date(tomorrowMorning(lateMs, undefined));
    expect([local.getHours(), local.getMinutes()]).toEqual([9, 0]);
    expect(local.getTime()).toBeGreaterThan(lateMs);
  });

  it('ends every mute at a time, except for the one that lasts forever', () => {
    const nowMs = Date.parse('2026-11-22T12:00:00.000Z');
    const until = muteChoices(nowMs, 'UTC').map(({ patch }) => patch.muteUntil);
    expect(until).toEqual([
      '2026-11-22T13:00:00.000Z',
      '2026-11-22T16:00:00.000Z',
      '2026-11-23T09:00:00.000Z',
      '2026-11-29T12:00:00.000Z',
      undefined,
    ]);
  });
});
