import {
  advance,
  type CountDelta,
  DEFAULT_SETTINGS,
  type DetectorEvent,
  fromBytes,
  ProjectDetector,
  toBytes,
} from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { KIND_NAMES, type KindName, SERIES } from '@tocsin/simulation/streams';
import { type Composition, createSeries, type SimulatedSeries } from './composition.ts';

export const MINUTE_MS = 60_000;
/** Events of a minute that are sent one by one. */
const MAX_SCATTERED = 30;

/** A project of 30 simulated series of one kind, watched by the production code. */
export class SimulatedProject {
  readonly series: SimulatedSeries[];
  readonly #arrivals: Random;
  readonly #settings: typeof DEFAULT_SETTINGS;
  #detector: ProjectDetector;
  minute = 0;
  /** Counts of the last minute, by the number of the series. */
  readonly counts = new Float64Array(SERIES);

  constructor(kind: KindName, seed: number, budget: number, composition: Composition = 'info') {
    const random = new Random(Math.imul(seed, 2_654_435_761) ^ KIND_NAMES.indexOf(kind));
    this.series = createSeries(composition, kind, random);
    this.#arrivals = new Random(seed);
    this.#settings = { ...DEFAULT_SETTINGS, budget };
    this.#detector = new ProjectDetector(START_MS, this.#settings);
  }

  /** @param factorOf trouble: the factor by which the rate of each series is multiplied */
  step(factorOf: (series: number) => number = () => 1): DetectorEvent[] {
    const bucketMs = START_MS + this.minute * MINUTE_MS;
    this.series.forEach(({ draw }, series) => {
      this.counts[series] = draw(this.minute, factorOf(series));
    });
    this.minute++;
    const options = { untilMs: bucketMs + MINUTE_MS, gaps: [] };
    return [...advance(this.#detector, this.#deltas(bucketMs), options)].flat();
  }

  *#deltas(bucketMs: number): Generator<CountDelta> {
    for (const [index, { key }] of this.series.entries())
      yield* deltasOfMinute({ ...key, bucketMs }, this.counts[index] ?? 0, this.#arrivals);
  }

  save(): Uint8Array {
    return toBytes(this.#detector.save());
  }

  load(saved: Uint8Array, minute: number): void {
    const state = fromBytes(saved);
    if (!state) throw new Error('What was saved cannot be loaded.');
    this.#detector = new ProjectDetector(START_MS, this.#settings, state);
    this.minute = minute;
  }
}

/** Few events of a minute come one by one, at random, as a heartbeat would see them; many in one count. */
export function* deltasOfMinute(
  delta: Omit<CountDelta, 'count' | 'lastMs'>,
  count: number,
  arrivals: Random,
): Generator<CountDelta> {
  const { bucketMs } = delta;
  if (count > MAX_SCATTERED) {
    yield { ...delta, lastMs: bucketMs, count };
    return;
  }
  const times = Array.from({ length: count }, () => bucketMs + Math.floor(MINUTE_MS * arrivals.uniform()));
  for (const lastMs of times.sort((a, b) => a - b)) yield { ...delta, lastMs, count: 1 };
}
