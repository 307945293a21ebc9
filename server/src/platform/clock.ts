import { MINUTE_MS } from './durations.ts';
import { CLOCK_TOLERANCE_MS } from './stored-times.ts';

/** Where the program takes the time from: an argument everywhere, so that no test has to wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** As `confirmedTime` returns it; absent where the clock does not leap. */
  confirmed?(): number;
}

/** After a leap the clock is believed once it has gone on from there for this long. */
const DOUBT_MS = MINUTE_MS;

/**
 * Returns the time by which ends for good what a user allowed or asked for. It is that of the clock, but for a leap ahead: the
 * time from before goes on until the clock has stayed ahead for a minute of monotonic time.
 */
export function confirmedTime(clock: Clock): number {
  return clock.confirmed?.() ?? clock.now();
}

/** A clock that may be set while the process runs. */
export class SettableClock implements Clock {
  readonly #now: () => number;
  readonly #monotonicMs: () => number;
  /** How far the clock is ahead of monotonic time: as believed, and since a leap. */
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
