import { MIN_EVENTS } from '../series/evidence.ts';
import { isCount } from '../state/count.ts';
import { resolutionOf } from '../state/resolution.ts';
import type { PastCounts } from './replay.ts';

/** True if any window holds so many events that it, or its absence, could open an incident. */
export function mayOpen({ stepMinutes, counts }: Pick<PastCounts, 'stepMinutes' | 'counts'>): boolean {
  const longest = resolutionOf(stepMinutes).windows.at(-1) ?? 1;
  const at = (step: number) => {
    const count = counts[step] ?? 0;
    return isCount(count) ? count : 0;
  };
  let sum = 0;
  for (let step = 0; step < counts.length; step++) {
    sum += at(step) - at(step - longest);
    // A small part of 5 is lost by rounding at most: the sum is of at most 30 steps.
    if (sum >= MIN_EVENTS) return true;
  }
  return false;
}
