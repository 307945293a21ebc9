import type { Tracker } from './heartbeat-state.ts';

/** Events of the heartbeats of a sender. */
type HeartbeatCounts = Pick<Tracker, 'running' | 'heartbeats' | 'meanCount' | 'countVariance'>;

/** Takes the heartbeat that has ended into the moments. @param kept number of remembered heartbeats */
export function learnHeartbeat(counts: HeartbeatCounts, kept: number): void {
  counts.heartbeats++;
  const part = 1 / Math.min(counts.heartbeats, kept);
  const distance = counts.running - counts.meanCount;
  counts.meanCount += distance * part;
  counts.countVariance = (1 - part) * (counts.countVariance + distance * distance * part);
}

/** Ratio of ln(mean) − mean(ln) of the gaps to the small chance q of an empty heartbeat, which doubles a gap. */
const LOG_RATIO_OF_DOUBLED = 1 - Math.LN2;

/**
 * Returns the evidence, in nats, of an expected event that has not come, where heartbeats may be empty; null where all of them
 * hold the same number of events: then an empty one is missing.
 *
 * An empty heartbeat of mean m and variance Dm has the chance D^(−m/(D − 1)) in the Panjer class of distributions
 * (Panjer, 1981): binomial for D < 1, Poisson in the limit D = 1, negative binomial for D > 1. So the evidence of
 * each expected event is ln D/(D − 1). Learned heartbeats hold at least one event; with a share q of empty ones the
 * variance-to-mean ratio v/m becomes v/m + qm, and q follows from the gaps, which an empty heartbeat doubles.
 *
 * Heartbeats are alike while the variance is at most that of a single event too many among those that are remembered.
 * @param gaps ln(mean) − mean(ln) of the gaps, and the number of remembered heartbeats
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
