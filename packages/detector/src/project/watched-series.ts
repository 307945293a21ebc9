import type { NextSilence } from '../series/expected-silence.ts';
import type { OpeningCounts } from '../series/opening-counts.ts';
import type { RiskSeries } from '../types.ts';
import { isShareOfPayments } from './payment-counts.ts';
import { type ProjectParts, STEP_MINUTES } from './project-parts.ts';
import { shareContextOf } from './project-step.ts';
import { isErrorSeries } from './series-key.ts';
import type { WatchedShare } from './share-monitor.ts';

/** Series of a project, as it is evaluated now; times are those of the detector. */
export interface WatchedSeries {
  series: RiskSeries;
  /** Expected events a minute. */
  perMinute: number;
  /** Variance over mean of its counts, at least 1. */
  dispersion: number;
  /** Time of the last event; null: none is known. */
  lastEventMs: number | null;
  /** Opening counts by step and window; empty while it is too young, and where only its share is evaluated. */
  opening: OpeningCounts[];
  /** Share of its failures; null: they are not compared with anything. */
  share: WatchedShare | null;
  /** Its silence; null: it is not sparse, or its silences are not known for long enough. */
  silence: NextSilence | null;
  /** Its next heartbeat; null: it is not known as a regular sender. */
  heartbeat: { usualMinutes: number; dueMs: number } | null;
}

/** Returns how each series is evaluated in the step that began then, in the order of their first events. */
export function describeSeries(parts: ProjectParts, stepMs: number): WatchedSeries[] {
  const { registry, group, sparse, shares, heartbeats } = parts;
  const shareContext = shareContextOf(parts, stepMs);
  return registry.all.map((series, index): WatchedSeries => {
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

/** Leaves out counts that open nothing: fewer errors, and those of failed payments, of which only the share is evaluated. */
function withoutImpossible(series: RiskSeries, opening: OpeningCounts[]): OpeningCounts[] {
  if (series.kind === 'failed_payments') return [];
  return isErrorSeries(series) ? opening.map((counts) => ({ ...counts, drop: null })) : opening;
}
