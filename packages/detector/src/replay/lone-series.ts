import { type AlarmChange, IDLE } from '../series/alarm-state.ts';
import { type SeasonalPosition, seasonalPositionOf } from '../series/seasonal-position.ts';
import { beginSkippedPeriods, beginStep } from '../series/seasonality.ts';
import { createSeries, evaluatePartialStep, evaluateStep } from '../series/series-detector.ts';
import { createWorkspace } from '../series/workspace.ts';
import { type Resolution, resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { UP } from '../state/side.ts';
import { SteppedSeries } from './stepped-series.ts';

/** A series that is alone in its project, evaluated as the series of a project are. */
export class LoneSeries extends SteppedSeries {
  readonly state: SeriesState;
  readonly #context: { resolution: Resolution; pooledTails: null; budgetPerWeek: number };
  readonly #workspace = createWorkspace();

  constructor(startMs: number, stepMinutes: number, budgetPerWeek: number) {
    super(startMs, stepMinutes, resolutionOf(stepMinutes));
    this.#context = { resolution: this.resolution, pooledTails: null, budgetPerWeek };
    this.state = createSeries(this.#context);
  }

  get position(): SeasonalPosition {
    return seasonalPositionOf(this.resolution, this.stepMs);
  }

  override exceeds(count: number): boolean {
    const copy = new SeriesState(this.state.toBytes());
    const { position } = this;
    beginStep(copy, position);
    copy.setStatus(UP, IDLE);
    copy.setReportedReason(UP, 0);
    const changes = evaluatePartialStep(copy, { ...this.#context, position }, count, this.#workspace);
    return changes.some(({ kind }) => kind === 'opens' || kind === 'suppressed');
  }

  protected override endStep(count: number): AlarmChange[] {
    const context = { ...this.#context, position: this.position };
    return evaluateStep(this.state, context, count, this.#workspace);
  }

  override skipTo(timeMs: number): void {
    const steps = Math.ceil((timeMs - this.stepMs) / this.stepLengthMs);
    const toMs = this.stepMs + Math.max(0, steps) * this.stepLengthMs;
    beginSkippedPeriods(this.state, this.resolution, this.stepMs, toMs);
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
