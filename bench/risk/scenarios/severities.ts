import type { CountDelta } from '@tocsin/detector';

export type Severity = CountDelta['severity'];

const FROM_MILD_TO_BAD: Severity[] = ['info', 'warn', 'error', 'critical'];

/** Positive where the first is worse. */
export function compareSeverities(left: Severity, right: Severity): number {
  return FROM_MILD_TO_BAD.indexOf(left) - FROM_MILD_TO_BAD.indexOf(right);
}
