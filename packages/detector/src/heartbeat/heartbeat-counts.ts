import type { Tracker } from './heartbeat-state.ts';

/** Events of the heartbeats of a sender. */
type HeartbeatCounts = Pick<Tracker, 'running' | 'heartbeats' | 'meanCount' | 'countVariance'>;

/** Takes the heartbeat that ran into the moments. @param kept how many are remembered */
export function learnHeartbeat(counts: HeartbeatCounts, kept: number): void {
  counts.heartbeats++;
  const part = 1 / Math.min(counts.heartbeats, kept);
  const distance = counts.running - counts.meanCount;
  counts.meanCount += distance * part;
  counts.countVariance = (1 - part) * (counts.countVariance + distance * distance * part);
}

/** Of gaps that double with a chance q (an empty heartbeat), ln(mean) − mean(ln) is q times this, for small q. */
const LOG_RATIO_OF_DOUBLED = 1 - Math.LN2;

/**
 * How much it tells, in nats, that an expected event has not come, where heartbeats may be empty; null where all of them
 * hold the same number of events: then one that is empty is missing.
 *
 * An empty heartbeat of mean m and variance Dm has the chance D^(−m/(D − 1)) in the Panjer class of distributions
 * (Panjer, 1981): binomial for D < 1, Poisson in the limit D = 1, negative binomial for D > 1. So each event that is
 * expected tells ln D/(D − 1). Heartbeats that are learned hold an event at least; with a share q of empty ones the
 * variance-to-mean ratio v/m becomes v/m + qm, and q follows from the gaps, which an empty heartbeat doubles.
 *
 * Heartbeats are alike while the variance is at most that of a single event too many among those that are remembered.
 * @param gaps ln(mean) − mean(ln) of the gaps, and how many heartbeats are remembered
 */
export function evidencePerMissingEvent(
  { heartbeats, meanCount: mean, countVariance: variance }: Omit<HeartbeatCounts, 'running'>,
  { logRatio, kept }: { logRatio: number; kept: number },
): number | null {
  if (heartbeats === 0 || variance <= mean / kept) return null;
  const emptyShare = Math.min(1, Math.max(0, logRatio) / LOG_RATIO_OF_DOUBLED);
  const dispersion = variance / mean + emptyShare * mean;
  const excess = dispersion - 1;
  // ln D/(D − 1) loses its digits near 1, where it is 1 − (D − 1)/2.
  return Math.abs(excess) < 1e-4 ? 1 - excess / 2 : Math.log(dispersion) / excess;
}
