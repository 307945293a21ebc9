import { boundsOf, type Scope } from './scope.ts';

/* Time ranges next to and around the one that is shown. */

export interface FixedRange {
  from: string;
  to: string;
}

/** @returns null if it would lie in the future */
export function laterWindow(scope: Scope, nowMs: number): FixedRange | null {
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  return toMs >= nowMs ? null : toFixed(toMs, 2 * toMs - fromMs);
}

export function earlierWindow(scope: Scope, nowMs: number): FixedRange {
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  return toFixed(2 * fromMs - toMs, fromMs);
}

/** Returns a range twice as long around the same middle, moved back where it would reach into the future. */
export function widerWindow(scope: Scope, nowMs: number): FixedRange {
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  const half = Math.round((toMs - fromMs) / 2);
  const endMs = Math.max(toMs, Math.min(toMs + half, Math.ceil(nowMs / 60_000) * 60_000));
  return toFixed(endMs - 4 * half, endMs);
}

export function toFixed(fromMs: number, toMs: number): FixedRange {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
