import { type Clock, SettableClock } from '../../src/platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../src/platform/durations.ts';

/**
 * The middle of the present minute, hour or step of another length. A `StillClock` at it is near the time of the
 * database and of other processes, and all times computed from it are on one side of a boundary.
 */
export function middleOf(lengthMs: number): number {
  return Math.floor(Date.now() / lengthMs) * lengthMs + lengthMs / 2;
}

/**
 * 12:00:30 UTC of the present day, the middle of a minute. A `StillClock` at it stays on the day: texts that name a time
 * name no other day, at whatever time the test runs.
 */
export function middleOfToday(): number {
  return middleOf(DAY_MS) + MINUTE_MS / 2;
}

/**
 * A clock that runs from a time on, by default the present one, and that a test advances. Events that are sent once a
 * minute by it leave a minute without any where the drift crosses a boundary: a test that compares minutes takes a
 * `StillClock`.
 */
export class TestClock implements Clock {
  #offsetMs: number;

  constructor(startMs?: number) {
    this.#offsetMs = startMs === undefined ? 0 : startMs - Date.now();
  }

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}

/** A clock that stands still until it is set: everything between has equal times. */
export class StillClock implements Clock {
  #nowMs: number;

  constructor(nowMs: number = Date.now()) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}

/** A clock of a machine that leaps: monotonic time continues as before. */
export class LeapingClock extends SettableClock {
  readonly #offset: { ms: number };

  constructor() {
    const offset = { ms: 0 };
    super(
      () => Date.now() + offset.ms,
      () => performance.now(),
    );
    this.#offset = offset;
  }

  /** @param aheadMs 0: it is right again */
  set(aheadMs: number): void {
    this.#offset.ms = aheadMs;
  }
}
