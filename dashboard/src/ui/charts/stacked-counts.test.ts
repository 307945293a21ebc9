import { describe, expect, it } from 'vitest';
import { layerHeights, severitiesInFront, sumOf, toSlots, wholeSlots } from './stacked-counts.ts';

const MINUTE_MS = 60_000;
const counts = { info: 0, warn: 0, error: 0, critical: 0 };
const buckets = [
  { start: '2026-01-28T14:00:00.000Z', ...counts, info: 3 },
  { start: '2026-01-28T14:05:00.000Z', ...counts },
  { start: '2026-01-28T14:10:00.000Z', ...counts, info: 1, critical: 2 },
];
const startMs = Date.parse('2026-01-28T14:00:00.000Z');
const slots = toSlots(buckets, startMs + MINUTE_MS, startMs + 12 * MINUTE_MS);

describe('the slots of a chart', () => {
  it('gives slots the length between their starts', () => {
    expect(slots.map(({ startMs: from, endMs }) => endMs - from)).toEqual(Array(3).fill(5 * MINUTE_MS));
    expect(slots.map(({ total }) => total)).toEqual([3, 0, 3]);
    expect(sumOf(slots)).toEqual({ info: 4, warn: 0, error: 0, critical: 2 });
  });

  it('gives a single slot the whole range, or the known length', () => {
    const single = buckets.slice(0, 1);
    expect(toSlots(single, startMs, startMs + 7_000)[0]?.endMs).toBe(startMs + 7_000);
    expect(toSlots(single, startMs, startMs + 7_000, MINUTE_MS)[0]?.endMs).toBe(startMs + MINUTE_MS);
  });

  it('selects each slot that a selection touches as a whole', () => {
    const select = (fromMinute: number, toMinute: number) => {
      const range = wholeSlots(slots, startMs + fromMinute * MINUTE_MS, startMs + toMinute * MINUTE_MS);
      return range && [(range.fromMs - startMs) / MINUTE_MS, (range.toMs - startMs) / MINUTE_MS];
    };
    expect(select(1, 2)).toEqual([0, 5]);
    expect(select(4, 6)).toEqual([0, 10]);
    expect(select(5, 10)).toEqual([5, 10]);
    expect(select(-9, 99)).toEqual([0, 15]);
    expect(select(15, 20)).toBeNull();
  });
});

describe('the layers of a bar', () => {
  it('gives the severities of a bar heights in proportion', () => {
    expect(layerHeights({ info: 10, warn: 20, error: 0, critical: 30 }, 1.5)).toEqual({
      info: 15,
      warn: 30,
      error: 0,
      critical: 45,
    });
  });

  it('never loses a single event among thousands', () => {
    expect(layerHeights({ info: 10_000, warn: 0, error: 0, critical: 1 }, 0.01)).toMatchObject({
      info: 100,
      critical: 2,
    });
  });
});

describe('the bars of a chart', () => {
  it.each([
    [{ info: 900, warn: 3, error: 1, critical: 0 }, null, ['warn', 'error']],
    [{ info: 900, warn: 0, error: 0, critical: 0 }, null, ['info']],
    [{ info: 900, warn: 3, error: 1, critical: 0 }, 'info', ['info']],
    [{ info: 900, warn: 3, error: 1, critical: 0 }, 'critical', ['critical']],
  ] as const)('draws bars for %j with %s chosen: %j', (sum, only, front) => {
    expect(severitiesInFront(sum, only)).toEqual(front);
  });
});
