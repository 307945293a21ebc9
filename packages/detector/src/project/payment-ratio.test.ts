import { describe, expect, it } from 'vitest';
import { countPayments, createPaymentRatio, takeFailurePercentage } from './payment-ratio.ts';

const payments = (severity: 'info' | 'error', count: number) => ({
  type: 'payment',
  severity,
  source: null,
  bucketMs: 0,
  lastMs: 0,
  count,
});

describe('the ratio of failed payments', () => {
  it('returns the percentage of failed payments since the last call', () => {
    const ratio = createPaymentRatio();
    countPayments(ratio, payments('info', 30));
    countPayments(ratio, payments('error', 10));
    expect(takeFailurePercentage(ratio)).toBe(25);
    expect(ratio).toEqual({ failed: 0, all: 0 });
  });

  it('carries fewer than 20 payments into the next minute', () => {
    const ratio = createPaymentRatio();
    countPayments(ratio, payments('error', 19));
    expect(takeFailurePercentage(ratio)).toBeNaN();
    countPayments(ratio, payments('info', 19));
    expect(takeFailurePercentage(ratio)).toBe(50);
  });
});
