import type { NextSilence } from '../series/expected-silence.ts';
import type { OpeningCounts } from '../series/opening-counts.ts';
import type { RiskSeries } from '../types.ts';
import { isErrorSeries } from './series-key.ts';
import type { WatchedShare } from './share-monitor.ts';

/** How one series of a project is watched at this moment; times are those of the detector. */
export interface WatchedSeries {
  series: RiskSeries;
  /** Events a minute that are expected. */
  perMinute: number;
  /** Variance over mean of its counts, at least 1. */
  dispersion: number;
  /** Null: none is known. */
  lastEventMs: number | null;
  /** By step and window; empty while it is too young to be evaluated, and where its share is evaluated alone. */
  opening: OpeningCounts[];
  /** Null: its failures are not compared with anything. */
  share: WatchedShare | null;
  /** Null: it is not sparse, or its silences are not known for long enough. */
  silence: NextSilence | null;
  /** Null: it is not known as a regular sender. */
  heartbeat: { usualMinutes: number; dueMs: number } | null;
}

/** Fewer errors open nothing, and of failed payments no count does: their share is evaluated alone. */
export function withoutImpossible(series: RiskSeries, opening: OpeningCounts[]): OpeningCounts[] {
  if (series.kind === 'failed_payments') return [];
  return isErrorSeries(series) ? opening.map((counts) => ({ ...counts, drop: null })) : opening;
}
