import { DEFAULT_SETTINGS, ProjectDetector, type Verdict } from '@tocsin/detector';
import { poisson, seeded } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import type { PastCount } from './count-pieces.ts';
import { replayCounts } from './replay-counts.ts';

const MINUTE_MS = 60_000;
const MINUTES = 4 * 1_440;

/** What a detector says of a series that counted so much in each minute. */
function replayed(countOf: (minute: number) => number): Verdict[] {
  function* counts(): Generator<PastCount> {
    for (let minute = 0; minute < MINUTES; minute++) {
      const minuteMs = START_MS + minute * MINUTE_MS;
      const count = countOf(minute);
      if (count > 0) yield { minuteMs, type: 'order', severity: 'info', source: 'web', count };
    }
  }
  const verdicts: Verdict[] = [];
  replayCounts({
    detector: new ProjectDetector(START_MS, DEFAULT_SETTINGS),
    counts: counts(),
    beginMs: START_MS,
    toMs: START_MS + MINUTES * MINUTE_MS,
    gaps: [],
    report: (verdict) => verdicts.push(verdict),
  });
  return verdicts.filter(({ kind }) => kind === 'opens');
}

describe('past counts by the minute', () => {
  it.each([0.5, 2, 5, 10, 20])('are no beats where events come at random, %d a minute', (rate) => {
    const random = seeded(7);
    expect(replayed(() => poisson(random, rate))).toEqual([]);
  });

  it('still tell a job that comes every hour, and misses it', () => {
    const lastBeat = MINUTES - 300;
    const opened = replayed((minute) => (minute % 60 === 0 && minute <= lastBeat ? 1 : 0));
    expect(opened).toMatchObject([{ finding: { rule: 'silence' } }]);
    expect((opened[0]?.atMs ?? 0) - START_MS).toBeLessThan((lastBeat + 240) * MINUTE_MS);
  });
});
