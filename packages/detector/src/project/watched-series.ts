import type { NextSilence } from '../series/expected-silence.ts';
import type { OpeningCounts } from '../series/opening-counts.ts';
import type { RiskSeries } from '../types.ts';
import { isShareOfPayments } from './payment-counts.ts';
import { type ProjectParts, STEP_MINUTES } from './project-parts.ts';
import { shareContextOf } from './project-step.ts';
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

/** How each series is watched in the step that began then, in the order of their first events. */
export function describeSeries(parts: ProjectParts, stepMs: number): WatchedSeries[] {
  const { registry, group, sparse, shares, heartbeats } = parts;
  const shareContext = shareContextOf(parts, stepMs);
  return Array.from({ length: registry.size }, (_, index): WatchedSeries => {
    const series = registry.seriesAt(index);
    return {
      series,
      perMinute: group.levelOf(index) / STEP_MINUTES,
      dispersion: group.series.read(index).state.dispersion,
      lastEventMs: registry.lastEventMsOf(index),
      opening: isShareOfPayments(registry, shares, index)
        ? []
        : withoutImpossible(series, [
            ...group.openingCountsOf(index, stepMs),
            ...sparse
              .groupsOf(index)
              .flatMap((coarse) => coarse.group.openingCountsOf(index, coarse.beginningOfStep(stepMs))),
          ]),
      share: shares.describe(index, shareContext),
      silence: sparse.silences.next(index, stepMs),
      heartbeat: heartbeats.nextDueOf(index, group),
    };
  });
}

/** Fewer errors open nothing, and of failed payments no count does: their share is evaluated alone. */
function withoutImpossible(series: RiskSeries, opening: OpeningCounts[]): OpeningCounts[] {
  if (series.kind === 'failed_payments') return [];
  return isErrorSeries(series) ? opening.map((counts) => ({ ...counts, drop: null })) : opening;
}
