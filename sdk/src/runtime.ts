/** All that the library asks of the platform it runs on; time and chance come in here, so that tests own them. */
export interface Runtime {
  fetch: typeof fetch;
  /** For durations: never jumps. */
  monotonicMs: () => number;
  /** For the times in events: may be wrong, or be set while we run. */
  wallClockMs: () => number;
  /** From 0 up to 1. */
  random: () => number;
  sleep: (delayMs: number) => Promise<void>;
  /** @returns what cancels it */
  startTimer: (delayMs: number, onDue: () => void) => () => void;
}

/** The timers keep a process alive on purpose: an awaited call is delivered before it exits. */
export const systemRuntime: Runtime = {
  // Looked up at each call, so that what replaces the global fetch later (tracing, tests) is used.
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
