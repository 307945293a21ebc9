/* The hour of storing in which the events of a group are counted for samples (`groups.sampled_hour`). */

/**
 * SQL: true if a stored hour goes on in the hour of this process, whose clock may be a little behind another's. One that
 * is further ahead comes from a clock that was wrong.
 */
export const hourContinues = (stored: string, hour: string): string =>
  `${stored} BETWEEN ${hour}::timestamptz AND ${hour}::timestamptz + interval '1 hour'`;
