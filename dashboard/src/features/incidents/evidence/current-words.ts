import { formatAmount, formatErrorsPer, formatPercent } from '../../../../../server/src/incidents/wording.ts';
import type { Current, Evidence } from '../../../lib/api-types.ts';

type Values = Pick<Current, 'observed' | 'perMinute' | 'trend'>;

/** What is observed of a series now: "12 a minute, rising". */
export function describeNow({ observed, perMinute, trend }: Values): string {
  const rate = observed === 0 ? 'none' : `${formatAmount(perMinute)} a minute`;
  return trend === 'steady' ? rate : `${rate}, ${trend}`;
}

/** The same of a share, beside which a rate would have another unit: "rising"; null where there is nothing to say. */
export function describeShareNow({ observed, trend }: Values): string | null {
  if (observed === 0) return 'none';
  return trend === 'steady' ? null : trend;
}

/** Whether a rule is about shares, not counts. */
export function isAboutShare(rule: Evidence['rule']): boolean {
  return rule === 'error_share' || rule === 'failed_payments';
}

/** What is observed now with what is usual in a minute, and the share: "12 a minute, rising (usually 2), 4% of events". */
export function describeCurrent(
  current: Current,
  { rule, series }: Pick<Evidence, 'rule' | 'series'>,
): string {
  const { expected, windowSeconds } = current;
  const usual = expected === null ? '' : ` (usually ${formatAmount((60 * expected) / windowSeconds)})`;
  const share = describeShare(current, rule === 'error_share', series.kind === 'failed_payments');
  return `${describeNow(current)}${usual}${share}`;
}

/** In the unit of the sentence: errors are compared with the events beside them. */
function describeShare({ share }: Current, isErrorShare: boolean, isPayments: boolean): string {
  if (share === null) return '';
  if (isErrorShare && share < 100) return `, ${formatErrorsPer(100, share / (100 - share))}`;
  return `, ${formatPercent(share)} of ${isPayments ? 'payments' : 'events'}`;
}
