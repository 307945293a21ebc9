import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import type { RiskRule } from '../../incidents/evidence-schema.ts';

/** What tells which of two alarms is worse. */
export interface Badness {
  severity: Severity;
  /** How many times what was expected was observed, or the reverse; at least 1. */
  ratio: number;
}

/** A ratio that is higher by less is no reason to give an incident another headline. */
const CLEARLY = 1.5;

/**
 * How far observed and expected are apart. One event is added to both, since a ratio of few events is mostly chance:
 * 3 where 0.01 are expected are 4 times as many, not 300 times.
 */
export function ratioOf({
  rule,
  observed,
  expected,
}: {
  rule: RiskRule;
  observed: number;
  expected: number;
}): number {
  // There is nothing to compare the first occurrence with.
  if (rule === 'new_kind') return 1;
  const ratio = (observed + 1) / (expected + 1);
  return Math.max(1, rule === 'drop' || rule === 'silence' ? 1 / ratio : ratio);
}

/** By severity, then by ratio. */
export function isClearlyWorse({ severity, ratio }: Badness, than: Badness): boolean {
  const difference = SEVERITIES.indexOf(severity) - SEVERITIES.indexOf(than.severity);
  return difference === 0 ? ratio >= CLEARLY * than.ratio : difference > 0;
}
