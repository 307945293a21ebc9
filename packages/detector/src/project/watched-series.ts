import type { OpeningCounts } from '../series/opening-counts.ts';
import type { RiskSeries } from '../types.ts';
import { isErrorSeries } from './series-key.ts';

/** How one series of a project is watched at this moment; times are those of the detector. */
export interface WatchedSeries {
  series: RiskSeries;
  /** Events a minute that are expected. */
  perMinute: number;
  /** Variance over mean of its counts, at least 1. */
  dispersion: number;
  /** Null: none is known. */
  lastEventMs: number | null;
  /** By window; empty while it is too young to be evaluated. */
  opening: OpeningCounts[];
  /** Null: it is not known as a regular sender. */
  heartbeat: { usualMinutes: number; dueMs: number } | null;
}

/** Fewer errors, and fewer failures, open nothing. */
export function withoutImpossibleDrops(series: RiskSeries, opening: OpeningCounts[]): OpeningCounts[] {
  const isNeverDrop = isErrorSeries(series) || series.kind === 'failed_payments';
  return isNeverDrop ? opening.map((counts) => ({ ...counts, drop: null })) : opening;
}
