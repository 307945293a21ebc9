/* The hour of storing in which the events of a group are counted for samples (`groups.sampled_hour`). */

/**
 * SQL: true if a stored hour goes on in the hour of this transaction, by the clock of the database, which it may have
 * read just before another one that was faster. One that is further ahead comes from a clock that was wrong.
 */
export const hourContinues = (stored: string, hour: string): string =>
  `${stored} BETWEEN ${hour}::timestamptz AND ${hour}::timestamptz + interval '1 hour'`;
