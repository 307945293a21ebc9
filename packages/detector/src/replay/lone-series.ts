import type { AlarmChange } from '../series/alarm-state.ts';
import { type SeasonalPosition, seasonalPositionOf } from '../series/seasonal-position.ts';
import { beginSkippedPeriods } from '../series/seasonality.ts';
import { createSeries, evaluateStep } from '../series/series-detector.ts';
import { createWorkspace } from '../series/workspace.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { type Resolution, resolutionOf } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { resolutionOfSeason, type Season, SeasonalHistory } from './season.ts';
import { SteppedSeries } from './stepped-series.ts';

/** A series that is alone in its project, evaluated as the series of a project are. */
export class LoneSeries extends SteppedSeries {
  readonly state: SeriesState;
  readonly #context: { resolution: Resolution; pooledTails: null; budgetPerWeek: number };
  readonly #startMs: number;
  /** Null: the season is the day. */
  readonly #history: SeasonalHistory | null;
  readonly #workspace = createWorkspace();

  constructor(startMs: number, stepMinutes: number, budgetPerWeek: number, season: Season | null = null) {
    super(startMs, stepMinutes, season ? resolutionOfSeason(season) : resolutionOf(stepMinutes));
    this.#history = season && new SeasonalHistory(season);
    this.#startMs = startMs;
    const budget = (budgetPerWeek * stepMinutes) / this.resolution.stepMinutes;
    this.#context = { resolution: this.resolution, pooledTails: null, budgetPerWeek: budget };
    this.state = createSeries(this.#context);
  }

  get position(): SeasonalPosition {
    if (!this.#history) return seasonalPositionOf(this.resolution, this.stepMs);
    const steps = (this.stepMs - this.#startMs) / this.stepLengthMs;
    return seasonalPositionOf(this.resolution, steps * this.resolution.stepMinutes * MINUTE_MS);
  }

  protected override endStep(count: number): AlarmChange[] {
    const expectation = this.#history?.expect(this.state.dispersion) ?? null;
    const context = { ...this.#context, position: this.position, expectation };
    // Before a season is known its swings would count as dispersion.
    const isKnownSeason = !this.#history || expectation !== null;
    const changes = isKnownSeason ? evaluateStep(this.state, context, count, this.#workspace) : [];
    this.#history?.add(count);
    return changes;
  }

  override skipTo(timeMs: number): void {
    const steps = Math.ceil((timeMs - this.stepMs) / this.stepLengthMs);
    const toMs = this.stepMs + Math.max(0, steps) * this.stepLengthMs;
    if (!this.#history) beginSkippedPeriods(this.state, this.resolution, this.stepMs, toMs);
    for (let i = 0; i < steps; i++) this.#history?.add(Number.NaN);
    this.stepMs = toMs;
  }
}

/** Yields one count for each step from a time on; NaN where it is not known. */
export function* countsOf(
  counts: ArrayLike<number>,
  startMs: number,
  stepLengthMs: number,
): Generator<{ bucketMs: number; count: number }, void> {
  for (let i = 0; i < counts.length; i++) {
    yield { bucketMs: startMs + i * stepLengthMs, count: counts[i] ?? Number.NaN };
  }
}
