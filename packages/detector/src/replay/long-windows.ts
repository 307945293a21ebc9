import type { Exceedance } from '../series/alarm-state.ts';
import { isDrop, isRise, logLikelihoodRatio } from '../series/evidence.ts';
import { type Side, UP } from '../state/side.ts';

/** Step with its expectation from before. */
export interface LongStep {
  /** NaN where it is not known. */
  count: number;
  /** Expected events of a step of mean factor, and the events that they rest on. */
  level: number;
  shape: number;
  /** Factor of its time of the week, and its inverse relative variance. */
  factor: number;
  information: number;
}

interface Scan {
  side: Side;
  /** Lengths of the windows, the shortest first. */
  windows: readonly number[];
  dispersion: number;
  wandering: number;
  openThreshold: number;
}

/**
 * Returns the largest evidence of the windows that end with the newest step, and the strongest that would open an alarm. A window is
 * compared with the level from before it began. The rate wanders by as much as counts show, or is as uncertain as level and
 * factor.
 * @param steps the newest first
 */
export function scanWindows(
  steps: readonly LongStep[],
  { side, windows, dispersion, wandering, openThreshold }: Scan,
): { evidence: number; exceedance: Exceedance | null } {
  const isEffect = side === UP ? isRise : isDrop;
  let [largest, strongest] = [0, openThreshold];
  let exceedance: Exceedance | null = null;
  let [observed, factors, knownSteps] = [0, 0, 0];
  for (const [index, { count, level, shape, factor, information }] of steps.entries()) {
    if (!Number.isNaN(count)) {
      observed += count;
      factors += factor;
      knownSteps++;
    }
    const window = windows.indexOf(index + 1);
    if (window === -1 || 2 * knownSteps <= index) continue;
    const expected = level * factors;
    if (side === UP ? observed <= expected : observed >= expected) continue;
    const size = 1 / Math.max(wandering, dispersion / shape + 1 / (factor * information));
    const evidence = logLikelihoodRatio(observed / dispersion, expected / dispersion, size);
    largest = Math.max(largest, evidence);
    if (evidence <= strongest || !isEffect(observed, expected)) continue;
    strongest = evidence;
    exceedance = { side, window, knownSteps, observed, expected, evidence, openThreshold };
  }
  return { evidence: largest, exceedance };
}
