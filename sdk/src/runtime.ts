/** Everything that the library needs of its platform; time and randomness are parts of it, so that tests control them. */
export interface Runtime {
  fetch: typeof fetch;
  /** Returns a time that never jumps, for durations. */
  monotonicMs: () => number;
  /** Returns the time of day, for events: it may be wrong, or be changed at run time. */
  wallClockMs: () => number;
  /** Returns a number from 0 to 1, without 1. */
  random: () => number;
  sleep: (delayMs: number) => Promise<void>;
  /** @returns a function that cancels the timer */
  startTimer: (delayMs: number, onDue: () => void) => () => void;
}

/** Runtime of the platform. Its timers keep a process alive on purpose: an awaited call is delivered before it exits. */
export const systemRuntime: Runtime = {
  // Looked up at each call: a later replacement of the global fetch (tracing, tests) is used.
  fetch: (...request) => globalThis.fetch(...request),
  monotonicMs: () => performance.now(),
  wallClockMs: () => Date.now(),
  random: () => Math.random(),
  sleep: (delayMs) =>
    new Promise((resolve) => {
      setTimeout(resolve, delayMs);
    }),
  startTimer: (delayMs, onDue) => {
    const timer = setTimeout(onDue, delayMs);
    return () => clearTimeout(timer);
  },
};
