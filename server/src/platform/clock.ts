/** Where the program takes the time from: an argument everywhere, so that no test has to wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: Date.now };
