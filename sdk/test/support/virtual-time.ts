import { type Runtime, systemRuntime } from '../../src/runtime.ts';

/** Start of virtual time, the same as the fake server's. */
export const START_MS = Date.UTC(2026, 10, 18, 12);

/**
 * A runtime whose time only moves on command, and whose sleeps move it at once; the wall clock
 * starts at `START_MS`, moved by `clockErrorMs`. Random numbers are always one half.
 */
export class VirtualTime {
  readonly slept: number[] = [];
  readonly runtime: Runtime;
  #nowMs = 0;
  #timers: { dueMs: number; onDue: () => void }[] = [];

  constructor({ clockErrorMs = 0, fetch = systemRuntime.fetch } = {}) {
    const startMs = START_MS + clockErrorMs;
    this.runtime = {
      fetch,
      monotonicMs: () => this.#nowMs,
      wallClockMs: () => startMs + this.#nowMs,
      random: () => 0.5,
      sleep: async (delayMs) => {
        this.slept.push(delayMs);
        this.advance(delayMs);
      },
      startTimer: (delayMs, onDue) => {
        const timer = { dueMs: this.#nowMs + delayMs, onDue };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
        };
      },
    };
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get pendingTimers(): number {
    return this.#timers.length;
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
    const due = this.#timers.filter((timer) => timer.dueMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { onDue } of due) onDue();
  }
}
