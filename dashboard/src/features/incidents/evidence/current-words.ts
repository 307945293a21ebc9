import { formatAmount, formatPercent } from '../../../../../server/src/incidents/wording.ts';
import type { Current } from '../../../lib/api-types.ts';

type Values = Pick<Current, 'observed' | 'perMinute' | 'trend'>;

/** What is observed of a series now: "12 a minute, rising". */
export function describeNow({ observed, perMinute, trend }: Values): string {
  const rate = observed === 0 ? 'none' : `${formatAmount(perMinute)} a minute`;
  return trend === 'steady' ? rate : `${rate}, ${trend}`;
}

/** The same with what is usual in a minute, and the share: "12 a minute, rising (usually 2), 4% of events". */
export function describeCurrent(current: Current, isPayments: boolean): string {
  const { expected, windowSeconds, share } = current;
  const usual = expected === null ? '' : ` (usually ${formatAmount((60 * expected) / windowSeconds)})`;
  const part = share === null ? '' : `, ${formatPercent(share)} of ${isPayments ? 'payments' : 'events'}`;
  return `${describeNow(current)}${usual}${part}`;
}
