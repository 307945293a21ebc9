import type { Severity } from './api-types.ts';

/** Severities from the least to the worst, the order of charts from the bottom up. */
export const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const satisfies Severity[];
