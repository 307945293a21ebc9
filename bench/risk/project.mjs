import { Random } from '@tocsin/simulation/random';
import { KINDS, meanOf, SERIES } from '@tocsin/simulation/streams';
import { ProjectDetector } from '../../packages/detector/dist/project/project-detector.js';
import { fromBytes, toBytes } from '../../packages/detector/dist/project/snapshot.js';
import { advance } from '../../packages/detector/dist/replay/advance.js';
import { DEFAULT_SETTINGS } from '../../packages/detector/dist/types.js';

export const MINUTE_MS = 60_000;
/** Events of a minute that are sent one by one. */
const MAX_SCATTERED = 30;
/** A Monday. */
export const START_MS = Date.UTC(2026, 0, 5);

/** A project of 30 simulated series of one kind, watched by the production code. */
export class SimulatedProject {
  /** @param {string} kind @param {number} seed @param {number} budget */
  constructor(kind, seed, budget) {
    const random = new Random(Math.imul(seed, 2_654_435_761) ^ Object.keys(KINDS).indexOf(kind));
    this.streams = Array.from({ length: SERIES }, (_, series) => KINDS[kind](random, meanOf(series)));
    this.moments = new Random(seed);
    this.settings = { ...DEFAULT_SETTINGS, budget };
    this.detector = new ProjectDetector(START_MS, this.settings);
    this.minute = 0;
    this.counts = new Float64Array(SERIES);
  }

  /** @param {(series: number) => number} [factorOf] trouble: what each series' rate is multiplied by */
  step(factorOf = () => 1) {
    const bucketMs = START_MS + this.minute * MINUTE_MS;
    for (let series = 0; series < SERIES; series++) {
      this.counts[series] = this.streams[series](this.minute, factorOf(series));
    }
    this.minute++;
    const options = { untilMs: bucketMs + MINUTE_MS, gaps: [] };
    return [...advance(this.detector, this.#deltas(bucketMs), options)].flat();
  }

  /** Few events come one by one, at random, as a heartbeat would see them; many in one count. */
  *#deltas(bucketMs) {
    for (let series = 0; series < SERIES; series++) {
      const count = this.counts[series];
      const delta = { type: 'event', severity: 'info', source: String(series), bucketMs };
      if (count > MAX_SCATTERED) {
        yield { ...delta, lastMs: bucketMs, count };
        continue;
      }
      const times = Array.from(
        { length: count },
        () => bucketMs + Math.floor(MINUTE_MS * this.moments.uniform()),
      );
      for (const lastMs of times.sort((a, b) => a - b)) yield { ...delta, lastMs, count: 1 };
    }
  }

  save() {
    return toBytes(this.detector.save());
  }

  /** @param {Uint8Array} saved @param {number} minute */
  load(saved, minute) {
    const state = fromBytes(saved);
    if (!state) throw new Error('What was saved cannot be loaded.');
    this.detector = new ProjectDetector(START_MS, this.settings, state);
    this.minute = minute;
  }
}
