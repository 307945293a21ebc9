import { DEFAULT_SETTINGS, type DetectorEvent, ProjectDetector } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/test-length.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { applyRound, type Round } from '../live/round.ts';
import type { PastCount } from './count-pieces.ts';
import { replayCounts } from './replay-counts.ts';

const MINUTES = 4 * 1_440;

/** The events of a detector for a series with the given count in each minute. */
function replayed(countOf: (minute: number) => number): DetectorEvent[] {
  function* counts(): Generator<PastCount> {
    for (let minute = 0; minute < MINUTES; minute++) {
      const minuteMs = START_MS + minute * MINUTE_MS;
      const count = countOf(minute);
      if (count > 0) yield { minuteMs, type: 'order', severity: 'info', source: 'web', count };
    }
  }
  const detectorEvents: DetectorEvent[] = [];
  replayCounts({
    detector: new ProjectDetector(START_MS, DEFAULT_SETTINGS),
    counts: counts(),
    beginMs: START_MS,
    toMs: START_MS + MINUTES * MINUTE_MS,
    downtimes: [],
    report: (event) => detectorEvents.push(event),
  });
  return detectorEvents.filter(({ kind }) => kind === 'opens');
}

/** Events a minute. */
const RATES = [0.5, 5, 20, 2, 10].slice(0, rounds(3, 5));

describe('past counts by the minute', () => {
  it.each(RATES)('finds no heartbeat in past counts of random events, %d a minute', (rate) => {
    const random = new Random(7);
    expect(replayed(() => random.poisson(rate))).toEqual([]);
  });

  it('still tells a job that comes every hour, and misses it', () => {
    const lastBeat = MINUTES - 300;
    const opened = replayed((minute) => (minute % 60 === 0 && minute <= lastBeat ? 1 : 0));
    expect(opened).toMatchObject([{ anomaly: { rule: 'silence' } }]);
    expect((opened[0]?.atMs ?? 0) - START_MS).toBeLessThan((lastBeat + 240) * MINUTE_MS);
  });

  it('leads through a long time without counts to the state that the live detector would have', () => {
    const [downFrom, downTo, end] = [6 * 60, 36 * 60, 37 * 60];
    const minutes = Array.from({ length: end }, (_, minute) => minute).filter(
      (minute) => minute < downFrom || minute >= downTo,
    );
    const counts = minutes.map((minute) => {
      const minuteMs = START_MS + minute * MINUTE_MS;
      return { minuteMs, type: 'order', severity: 'info' as const, source: 'web', count: 40 };
    });
    const toMs = START_MS + end * MINUTE_MS;
    const downtimes: [number, number][] = [[START_MS + downFrom * MINUTE_MS, START_MS + downTo * MINUTE_MS]];
    const previewed = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
    replayCounts({ detector: previewed, counts, beginMs: START_MS, toMs, downtimes, report: () => {} });

    const live = new Map<string, ProjectDetector>();
    const round: Round = {
      id: 1,
      version: 1,
      sinceMs: 0,
      begun: [{ projectId: 'p', settings: DEFAULT_SETTINGS, firstIncident: 1 }],
      set: [],
      resolved: [],
      counts: {
        p: counts.map(({ minuteMs, ...delta }) => ({
          ...delta,
          bucketMs: minuteMs,
          lastMs: minuteMs + MINUTE_MS - 1,
        })),
      },
      errors: {},
      timeMs: toMs,
      downtimes,
    };
    for (const _ of applyRound(live, round));
    expect(live.get('p')?.save()).toEqual(previewed.save());
  });
});
