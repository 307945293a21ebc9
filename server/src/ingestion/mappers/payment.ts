import type { Static } from 'typebox';
import type { PaymentBody } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';

/** Failed payments that are stored as errors. */
const FAILED_TYPES = new Set(['payment_failed', 'charge.failed']);
/** Failed payments by the processor's own names, such as `invoice.payment_failed`: stored as information. */
const FAILED_SUFFIX = '.payment_failed';

/**
 * True for a failed payment by the processor’s type. The one place that decides it; all counts of failures use the mark.
 */
export function isFailedPayment(type: string): boolean {
  return FAILED_TYPES.has(type) || type.endsWith(FAILED_SUFFIX);
}

/** Converts a notice of a payment processor. */
export function fromPayment(body: Static<typeof PaymentBody>): Observation {
  const { type, id = null, data } = body;
  return {
    type: 'payment',
    severity: FAILED_TYPES.has(type) ? 'error' : 'info',
    failedPayment: isFailedPayment(type),
    source: 'payments',
    message: type,
    payload: { type, id, data },
    correlation: body.correlation,
    environment: body.environment,
    fingerprint: body.fingerprint,
  };
}
