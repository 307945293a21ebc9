import { MINUTE_MS } from '../state/durations.ts';
import { isErrorOrWorse, type RiskSeries, type Severity } from '../types.ts';
import { matches } from './count-rules.ts';
import { isPayment } from './payment-counts.ts';

/**
 * Time in which some series are evaluated and nothing is learned from their counts, such as that of a load test; plain JSON. Null
 * is any; minutes that it touches count as a whole.
 */
export interface UnlearnedTime {
  type: string | null;
  severity: Severity | null;
  source: string | null;
  fromMs: number;
  untilMs: number;
}

/** Times from which series of a project learn nothing. */
export class UnlearnedTimes {
  #times: readonly UnlearnedTime[];

  constructor(times: readonly UnlearnedTime[] = []) {
    this.#times = times;
  }

  get times(): readonly UnlearnedTime[] {
    return this.#times;
  }

  /** Replaces the times: one that was ended early has another end now. */
  set(times: readonly UnlearnedTime[]): void {
    this.#times = times;
  }

  /** True if some series learn nothing from the minute that began then. */
  hasAny(stepMs: number): boolean {
    return this.#times.some((time) => isWithin(time, stepMs));
  }

  has(series: RiskSeries, stepMs: number): boolean {
    return this.#times.some((time) => isWithin(time, stepMs) && isAbout(time, series));
  }

  /** Returns the minutes at a time since the first time of a series began. */
  minutesSince(series: RiskSeries, atMs: number): number {
    const own = this.#times.filter((time) => time.fromMs <= atMs && isAbout(time, series));
    const fromMs = own.reduce((first, time) => Math.min(first, time.fromMs), atMs);
    return Math.ceil((atMs - fromMs) / MINUTE_MS);
  }
}

function isWithin({ fromMs, untilMs }: UnlearnedTime, stepMs: number): boolean {
  return fromMs < stepMs + MINUTE_MS && untilMs > stepMs;
}

/** True if a time is about a series. A sum learns nothing from a minute in which a part of it does not. */
function isAbout(time: UnlearnedTime, series: RiskSeries): boolean {
  const { type, severity } = time;
  if (series.kind === 'events') return matches(time, series);
  if (series.kind === 'errors') return severity === null || isErrorOrWorse(severity);
  return series.kind !== 'failed_payments' || type === null || isPayment({ type });
}
