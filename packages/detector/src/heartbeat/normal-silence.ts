import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { gammaInformation, gammaShape, gammaUpperQuantile } from './gamma-distribution.ts';
import { KEPT_GAPS, MIN_GAPS } from './gap-tracker.ts';
import type { Tracker } from './heartbeat-state.ts';

/** Minimum shape of the gaps of a regular sender: their coefficient of variation is at most a half. */
const MIN_SHAPE = 4;
/**
 * Maximum of the mean gaps up to which a silence is normal in any case: a sender may skip once, by a lock or a deploy.
 */
const MAX_FLOOR = 2.5;
/** The same for a rare sender with little jitter: mean gaps, minutes of delay, and standard deviations. */
const MIN_FLOOR = 1.2;
const MIN_DELAY_MINUTES = 90;
const FLOOR_DEVIATIONS = 8;

/**
 * Returns the longest normal silence in minutes; null for a sender that is not regular, or not known to be.
 *
 * Gaps have a gamma distribution of the shape k that they were estimated to have, lowered by k/√n for the error of the
 * estimate (our own). A sender is regular once the evidence of its gaps against random arrivals exceeds the chance
 * that its budget allows a gap (n − 1 gaps of `gammaInformation` each, after Wald, 1945); its limit is the gamma quantile of that
 * chance, at least `floorOf` and at most 6 mean gaps.
 */
export function longestNormalSilence(
  tracker: Tracker,
  ageMinutes: number,
  budgetPerWeek: number,
): number | null {
  const { gaps, mean } = tracker;
  if (gaps < MIN_GAPS || ageMinutes < MINUTES_PER_DAY) return null;
  const n = Math.min(gaps, KEPT_GAPS);
  const shape = shapeOf(tracker);
  if (shape < MIN_SHAPE) return null;
  const chance = chanceOf(mean, budgetPerWeek);
  if ((n - 1) * gammaInformation(shape) < -Math.log(chance)) return null;
  const cautiousShape = shape * (1 - 1 / Math.sqrt(n));
  const quantile = gammaUpperQuantile(cautiousShape, chance);
  if (mean * quantile > 6 * mean + 1) return null;
  return Math.max(floorOf(mean, cautiousShape), mean * quantile);
}

/** True if the gaps of a sender are alike: else none of its silences is too long, at any age and budget. */
export function isRegular(tracker: Tracker): boolean {
  return tracker.gaps >= MIN_GAPS && shapeOf(tracker) >= MIN_SHAPE;
}

function shapeOf({ mean, logMean }: Tracker): number {
  return gammaShape(Math.max(1e-9, Math.log(mean) - logMean));
}

/**
 * Returns the least silence that is not normal, in minutes: 2.5 mean gaps for frequent senders or much jitter. A heartbeat that
 * comes twice a day with a jitter of less than 2.5% is overdue after 1.2 gaps, so a job of the night is reported the same
 * morning. Eight standard deviations (of 1/√k) hold every budget where gaps have a gamma distribution; the rest is for others:
 * a delay of an hour and a half is a slow run. (Our own.)
 */
function floorOf(mean: number, shape: number): number {
  const longest = MAX_FLOOR * mean + Math.min(0.5, mean);
  const regular = Math.max(MIN_FLOOR, 1 + FLOOR_DEVIATIONS / Math.sqrt(shape)) * mean;
  return Math.min(longest, Math.max(regular, mean + MIN_DELAY_MINUTES));
}

/** Returns the chance that a budget allows a gap. */
export function chanceOf(mean: number, budgetPerWeek: number): number {
  return (budgetPerWeek * mean) / MINUTES_PER_WEEK;
}
