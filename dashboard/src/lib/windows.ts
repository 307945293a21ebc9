import { boundsOf, type Scope } from './scope.ts';

/* Ranges of time beside, and around, the one that is shown. */

export interface FixedRange {
  from: string;
  to: string;
}

/** @returns null where it would lie in the future */
export function laterWindow(scope: Scope, nowMs: number): FixedRange | null {
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  return toMs >= nowMs ? null : toFixed(toMs, 2 * toMs - fromMs);
}

export function earlierWindow(scope: Scope, nowMs: number): FixedRange {
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  return toFixed(2 * fromMs - toMs, fromMs);
}

/** Twice as long, around the same middle, as far as there is a past. */
export function widerWindow(scope: Scope, nowMs: number): FixedRange {
  const { fromMs, toMs } = boundsOf(scope, nowMs);
  const half = Math.round((toMs - fromMs) / 2);
  const endMs = Math.max(toMs, Math.min(toMs + half, Math.ceil(nowMs / 60_000) * 60_000));
  return toFixed(endMs - 4 * half, endMs);
}

export function toFixed(fromMs: number, toMs: number): FixedRange {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
