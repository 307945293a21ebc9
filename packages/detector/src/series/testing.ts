import { poisson, seeded } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { resolutionOf } from '../state/resolution.ts';
import type { SeriesMemory } from '../state/series-state.ts';
import type { AlarmChange } from './alarm-state.ts';
import { seasonalPositionOf } from './seasonality.ts';
import { createSeries, look, step } from './series-detector.ts';

const MINUTE_MS = 60_000;
export type Timed = AlarmChange & { minute: number };

/** A series that is alone, watched minute by minute. */
export class Watched {
  minute = 0;
  readonly changes: Timed[] = [];
  memory: SeriesMemory;
  readonly #context = { resolution: resolutionOf(1), lent: null, budgetPerWeek: 1 };
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
    this.memory = createSeries(this.#context, 1);
  }

  /** @param mean events a minute, or what they are at a minute; NaN where nothing is known */
  run(minutes: number, mean: number | ((minute: number) => number)): Timed[] {
    const from = this.changes.length;
    for (let i = 0; i < minutes; i++) {
      const rate = typeof mean === 'number' ? mean : mean(this.minute);
      this.step(Number.isNaN(rate) ? Number.NaN : poisson(this.#random, rate));
    }
    return this.changes.slice(from);
  }

  step(count: number): void {
    for (const change of step(this.memory, this.#now(), count)) {
      this.changes.push({ ...change, minute: this.minute });
    }
    this.minute++;
  }

  look(countSoFar: number): AlarmChange[] {
    return look(this.memory, this.#now(), countSoFar);
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
