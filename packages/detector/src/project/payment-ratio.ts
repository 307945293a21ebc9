import { isErrorOrWorse } from '../types.ts';
import type { CountDelta } from './count-delta.ts';

/** A ratio of fewer says too little: they are carried into the next minute. */
const MIN_PAYMENTS = 20;

/** Plain JSON. */
export interface PaymentRatio {
  failed: number;
  all: number;
}

export function createPaymentRatio(): PaymentRatio {
  return { failed: 0, all: 0 };
}

export function isPayment({ type }: CountDelta): boolean {
  return type === 'payment';
}

/** Failed payments come as errors, whatever severity they are stored with. */
export function countPayments(ratio: PaymentRatio, { severity, count }: CountDelta): void {
  ratio.all += count;
  if (isErrorOrWorse(severity)) ratio.failed += count;
}

/** How many of a hundred failed, since it was last told; NaN while there were too few. */
export function takeFailurePercentage(ratio: PaymentRatio): number {
  if (ratio.all < MIN_PAYMENTS) return Number.NaN;
  const ofHundred = (100 * ratio.failed) / ratio.all;
  ratio.failed = 0;
  ratio.all = 0;
  return ofHundred;
}
