import type { Outcomes } from '../exposure/share-evidence.ts';
import { isErrorOrWorse } from '../types.ts';
import type { CountDelta } from './count-delta.ts';

/** Payments of the step that runs; plain JSON. */
export interface PaymentCounts {
  failed: number;
  all: number;
}

export function createPaymentCounts(): PaymentCounts {
  return { failed: 0, all: 0 };
}

export function isPayment({ type }: CountDelta): boolean {
  return type === 'payment';
}

/** Failed payments come as errors, whatever severity they are stored with. */
export function countPayments(payments: PaymentCounts, { severity, count }: CountDelta): void {
  payments.all += count;
  if (isErrorOrWorse(severity)) payments.failed += count;
}

export function outcomesOf({ failed, all }: PaymentCounts): Outcomes {
  return { failures: failed, trials: all };
}

/** A step has ended. */
export function resetPayments(payments: PaymentCounts): void {
  payments.failed = 0;
  payments.all = 0;
}
