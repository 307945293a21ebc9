import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrintedEvents } from './printed-events.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const event = (id: number, capturedAtMs: number) => ({
  id: `evt_${id}`,
  capturedAt: new Date(capturedAtMs).toISOString(),
});

describe('what a follower has printed', () => {
  it('prints each event once whatever rounds see it, and each that was within the overlap', () => {
    const arrivals = fc.array(fc.record({ gapMs: fc.nat(400), lateMs: fc.nat(5_000), seen: fc.boolean() }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(arrivals, (steps) => {
        const printed = new PrintedEvents(NOW);
        const stored: { id: string; capturedAt: string }[] = [];
        const output: unknown[] = [];
        let nowMs = NOW + 10_000;
        const round = () => {
          const after = printed.horizonMs;
          const list = stored
            .filter(({ capturedAt }) => Date.parse(capturedAt) > after)
            .toSorted((left, right) => Date.parse(left.capturedAt) - Date.parse(right.capturedAt));
          for (const { id } of printed.take(list, nowMs)) output.push(id);
        };
        for (const [index, { gapMs, lateMs, seen }] of steps.entries()) {
          nowMs += gapMs;
          stored.push(event(index, nowMs - lateMs));
          if (seen) round();
        }
        round();
        expect(output).toHaveLength(stored.length);
        expect(new Set(output).size).toBe(output.length);
      }),
      { numRuns: 200 },
    );
  });

  it('prints the events of now after one of a sender whose clock is ahead', () => {
    const printed = new PrintedEvents(NOW);
    printed.take([event(1, NOW + 5 * 60_000)], NOW);
    expect(printed.horizonMs).toBeLessThan(NOW + 1);
    expect(printed.take([event(2, NOW + 1_000)], NOW + 1_000)).toHaveLength(1);
  });

  it('reads again no more than a page of what is known, and keeps no more', () => {
    const printed = new PrintedEvents(NOW);
    const burst = Array.from({ length: 5_000 }, (_, index) => event(index, NOW + index));
    expect(printed.take(burst, NOW + 5_000)).toHaveLength(5_000);
    const again = burst.filter(({ capturedAt }) => Date.parse(capturedAt) > printed.horizonMs);
    expect(again.length).toBeLessThanOrEqual(500);
    expect(printed.take(again, NOW + 5_000)).toEqual([]);
  });

  it('begins at the clock of the server, and at the beginning where that is not known', () => {
    expect(new PrintedEvents(NOW).horizonMs).toBe(NOW - 1_000);
    expect(new PrintedEvents(null).horizonMs).toBe(0);
  });
});
