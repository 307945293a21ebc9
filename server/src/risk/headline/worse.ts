import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import type { RiskRule } from '../../incidents/evidence-schema.ts';

/** The part of an alarm that decides which of two is worse. */
export interface Badness {
  severity: Severity;
  /** Observed divided by expected, or the reverse; at least 1. */
  ratio: number;
}

/** Minimum factor between two ratios for which an incident gets another headline. */
const CLEARLY = 1.5;

/**
 * Ratio of observed and expected. One event is added to both, since a ratio of few events is mostly chance: 3 where
 * 0.01 are expected are 4 times as many, not 300 times.
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

/** Compares by severity, then by ratio. */
export function isClearlyWorse({ severity, ratio }: Badness, than: Badness): boolean {
  const difference = SEVERITIES.indexOf(severity) - SEVERITIES.indexOf(than.severity);
  return difference === 0 ? ratio >= CLEARLY * than.ratio : difference > 0;
}
