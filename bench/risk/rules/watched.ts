import {
  advance,
  type CountDelta,
  DEFAULT_SETTINGS,
  type DetectorEvent,
  ProjectDetector,
  replay,
} from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { deltasOfMinute, MINUTE_MS } from '../project.ts';
import type { TroubledSeries } from './troubled-series.ts';

const KEY = { type: 'event', severity: 'info', source: 'service' } as const;

/** How the product watches a series. @returns the steps in which its incidents opened */
export type Watch = (series: TroubledSeries) => number[];

export function watchByReplay(series: TroubledSeries): number[] {
  const { startMs, stepMinutes } = series;
  const incidents = replay(series, DEFAULT_SETTINGS.budget);
  return incidents.map(({ openedAtMs }) => (openedAtMs - startMs) / (stepMinutes * MINUTE_MS));
}

/** As a project of one series, each event at a random second. */
export function watchLive({ startMs, stepMinutes, minutes }: TroubledSeries): number[] {
  const detector = new ProjectDetector(startMs, DEFAULT_SETTINGS);
  const options = { untilMs: startMs + minutes.length * MINUTE_MS, gaps: [] };
  const opened: number[] = [];
  for (const events of advance<CountDelta, DetectorEvent>(detector, deltasOf(startMs, minutes), options))
    for (const { kind, atMs } of events) {
      if (kind === 'opens') opened.push(Math.ceil((atMs - startMs) / (stepMinutes * MINUTE_MS)) - 1);
    }
  return opened;
}

function* deltasOf(startMs: number, minutes: Uint32Array): Generator<CountDelta> {
  const arrivals = new Random(minutes.length);
  for (const [minute, count] of minutes.entries())
    yield* deltasOfMinute({ ...KEY, bucketMs: startMs + minute * MINUTE_MS }, count, arrivals);
}
