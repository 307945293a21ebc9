/**
 * From the mildest to the worst; the database's type has the same order. Commands import it, so it imports nothing.
 */
export const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const;
