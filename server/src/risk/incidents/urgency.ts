import { SEVERITIES, type Severity } from '../../events/severity.ts';
import type { JoinedSeries } from '../../incidents/schema.ts';

/** Less is no reason to tell an incident by something else. */
const CLEARLY = 0.3;

/** How urgent an alarm is: one severity weighs as much as ten times the events, or as ten times those missing. */
export function urgencyOf({
  severity,
  observed,
  expected,
}: Pick<JoinedSeries, 'observed' | 'expected'> & { severity: Severity }): number {
  return SEVERITIES.indexOf(severity) + Math.log10(Math.max(1, observed, expected - observed));
}

export function isClearlyWorse(urgency: number, than: number): boolean {
  return urgency >= than + CLEARLY;
}
