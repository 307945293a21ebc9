import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { AlarmChange } from './alarm-state.ts';
import { openingCounts } from './opening-counts.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { createSeries, evaluatePartialStep, evaluateStep, staysUneventful } from './series-detector.ts';
import { createWorkspace } from './workspace.ts';

export type Timed = AlarmChange & { minute: number };

/** A single series, evaluated minute by minute. */
export class SimulatedSeries {
  minute = 0;
  readonly changes: Timed[] = [];
  state: SeriesState;
  readonly #context;
  readonly #workspace = createWorkspace();
  readonly #random: Random;

  constructor(seed: number, isErrorSeries = false) {
    this.#random = new Random(seed);
    this.#context = { resolution: resolutionOf(1), pooledTails: null, budgetPerWeek: 1, isErrorSeries };
    this.state = createSeries(this.#context);
  }

  /** @param mean events a minute, or of each minute; NaN where nothing is known */
  run(minutes: number, mean: number | ((minute: number) => number)): Timed[] {
    const from = this.changes.length;
    for (let i = 0; i < minutes; i++) {
      const rate = typeof mean === 'number' ? mean : mean(this.minute);
      this.step(Number.isNaN(rate) ? Number.NaN : this.#random.poisson(rate));
    }
    return this.changes.slice(from);
  }

  step(count: number): void {
    for (const change of evaluateStep(this.state, this.#now(), count, this.#workspace)) {
      this.changes.push({ ...change, minute: this.minute });
    }
    this.minute++;
  }

  evaluatePartialStep(countSoFar: number): AlarmChange[] {
    return evaluatePartialStep(this.state, this.#now(), countSoFar, this.#workspace);
  }

  /** Returns the count that would open a rise in the running step, by window; null: none. */
  openingRises(): (number | null)[] {
    return openingCounts(this.state, this.#now(), this.#workspace).map(({ rise }) => rise);
  }

  /** Asks this after a smaller count was found uneventful. */
  staysUneventful(countSoFar: number, upTo: number): boolean {
    return staysUneventful(this.state, this.#now(), { countSoFar, upTo }, this.#workspace);
  }

  #now() {
    return {
      ...this.#context,
      position: seasonalPositionOf(resolutionOf(1), START_MS + this.minute * MINUTE_MS),
    };
  }
}

export function opened(changes: AlarmChange[]): AlarmChange[] {
  return changes.filter(({ kind }) => kind === 'opens');
}
