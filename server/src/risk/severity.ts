import type { Severity } from '../events/severity.ts';
import { type Side, UP } from './series-memory.ts';

/** From which factor a rise, and down to which part a drop, is more than a warning. */
const ERROR = { rise: 3, drop: 0.5 };
const CRITICAL = { rise: 10, drop: 0.1 };

/** How bad the effect itself is; what the events say of themselves caps it elsewhere. */
export function severityOf(side: Side, observed: number, expected: number): Severity {
  const reaches = ({ rise, drop }: typeof ERROR) =>
    side === UP ? observed >= rise * expected : observed <= drop * expected;
  if (reaches(CRITICAL)) return 'critical';
  return reaches(ERROR) ? 'error' : 'warn';
}
