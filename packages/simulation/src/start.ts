/** Beginning of simulated time: a Monday. */
export const START_MS = Date.UTC(2026, 0, 5);
