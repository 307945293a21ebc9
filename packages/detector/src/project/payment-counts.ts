import { NO_OUTCOMES, type Outcomes } from '../exposure/share-evidence.ts';
import { isErrorOrWorse, type RiskSeries } from '../types.ts';
import type { CountDelta } from './count-delta.ts';
import { FAILED_PAYMENTS, isErrorSeries } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import type { ShareMonitor } from './share-monitor.ts';

export function isPayment({ type }: Pick<RiskSeries, 'type'>): boolean {
  return type === 'payment';
}

/** Counts payments. Failed ones come as errors, regardless of the severity that is stored. */
export function countPayments(payments: Outcomes, { severity, count }: CountDelta): void {
  payments.trials += count;
  if (isErrorOrWorse(severity)) payments.failures += count;
}

export function resetPayments(payments: Outcomes): void {
  Object.assign(payments, NO_OUTCOMES);
}

/**
 * True if the failed payments of the project are those of one series: then only their share is evaluated, which allows for its
 * wandering, and for ten tries of one payer.
 */
export function isShareOfPayments(registry: SeriesRegistry, shares: ShareMonitor, index: number): boolean {
  const series = registry.seriesAt(index);
  if (!isPayment(series) || !isErrorSeries(series)) return false;
  const share = registry.indexOf(FAILED_PAYMENTS);
  return share !== null && shares.mayRiseOfPayments(share) && !registry.hasOtherSource(series);
}
