import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../platform/durations.ts';
import { buffersOf, CollectedCounts, type PastCount, unpack } from './count-pieces.ts';

const BEGIN_MS = Date.parse('2026-11-20T10:00:00Z');

function aCount(minute: number, changes: Partial<PastCount> = {}): PastCount {
  const minuteMs = BEGIN_MS + minute * MINUTE_MS;
  return { minuteMs, type: 'order', severity: 'info', source: 'web', count: 1, ...changes };
}

describe('collected counts', () => {
  it('returns collected counts as they went in, whatever their names are', () => {
    const counts = [
      aCount(0),
      aCount(0, { source: null }),
      aCount(0, { source: 'null' }),
      aCount(1, { type: '["order","info","web"]', severity: 'critical', count: 2 ** 40 }),
      aCount(1, { type: '', source: '\u{1f600}\u0000' }),
    ];
    const collected = new CollectedCounts(BEGIN_MS, 1_000_000);
    collected.add(counts.slice(0, 3));
    collected.add([]);
    collected.add(counts.slice(3));
    expect([...unpack(collected.pieces)]).toEqual(counts);
    expect(collected.fromMs).toBe(BEGIN_MS);
    expect(buffersOf(collected.pieces)).toHaveLength(6);
  });

  it('drops the oldest counts where they are too many, and begins with the first whole minute', () => {
    const collected = new CollectedCounts(BEGIN_MS, 2_000);
    // Each minute is spread over two pieces.
    for (let index = 0; index < 100; index++) {
      collected.add([
        aCount(index, { type: 'a' }),
        aCount(index, { type: 'b' }),
        aCount(index + 1, { type: 'a' }),
      ]);
    }
    const { fromMs, pieces } = collected;
    expect(pieces.length).toBeLessThan(15);
    expect(fromMs).toBeGreaterThan(BEGIN_MS + 80 * MINUTE_MS);
    const [oldest] = unpack(pieces);
    expect(oldest?.minuteMs).toBe(fromMs - MINUTE_MS);
    expect([...unpack(pieces)].at(-1)).toEqual(aCount(100, { type: 'a' }));
  });

  it('keeps the newest piece of counts, however large it is', () => {
    const collected = new CollectedCounts(BEGIN_MS, 1);
    collected.add([aCount(0)]);
    collected.add([aCount(1), aCount(2)]);
    expect([...unpack(collected.pieces)]).toEqual([aCount(1), aCount(2)]);
    expect(collected.fromMs).toBe(BEGIN_MS + MINUTE_MS);
  });
});
