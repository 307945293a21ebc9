import { MINUTE_MS } from './durations.ts';
import { CLOCK_TOLERANCE_MS } from './stored-times.ts';

/** Source of the time: an argument everywhere, so that no test has to wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** As `confirmedTime` returns it; absent if the clock does not leap. */
  confirmed?(): number;
}

/** How long a clock must run on after a leap until it is trusted. */
const DOUBT_MS = MINUTE_MS;

/**
 * Returns the time by which permissions and requests of users end for good. It is that of the clock, except after a
 * leap ahead: then the time from before runs on until the clock has stayed ahead for a minute of monotonic time.
 */
export function confirmedTime(clock: Clock): number {
  return clock.confirmed?.() ?? clock.now();
}

/** A clock that may be set while the process runs. */
export class SettableClock implements Clock {
  readonly #now: () => number;
  readonly #monotonicMs: () => number;
  /** Lead of the clock over monotonic time: the trusted one, and the one since a leap. */
  #aheadMs: number;
  #leap: { aheadMs: number; sinceMs: number } | null = null;

  constructor(now: () => number, monotonicMs: () => number) {
    this.#now = now;
    this.#monotonicMs = monotonicMs;
    this.#aheadMs = now() - monotonicMs();
  }

  now(): number {
    return this.#now();
  }

  confirmed(): number {
    const [nowMs, monotonicMs] = [this.#now(), this.#monotonicMs()];
    const aheadMs = nowMs - monotonicMs;
    if (aheadMs <= this.#aheadMs + CLOCK_TOLERANCE_MS) {
      this.#aheadMs = aheadMs;
      this.#leap = null;
      return nowMs;
    }
    const isSame = this.#leap !== null && Math.abs(aheadMs - this.#leap.aheadMs) <= CLOCK_TOLERANCE_MS;
    if (this.#leap === null || !isSame) this.#leap = { aheadMs, sinceMs: monotonicMs };
    if (monotonicMs - this.#leap.sinceMs < DOUBT_MS) return monotonicMs + this.#aheadMs;
    this.#aheadMs = aheadMs;
    this.#leap = null;
    return nowMs;
  }
}

export const systemClock: Clock = new SettableClock(Date.now, () => performance.now());
