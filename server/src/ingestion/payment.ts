import type { Static } from 'typebox';
import type { PaymentBody } from './schema.ts';
import type { Observation } from './to-event.ts';

const FAILED_TYPES = new Set(['payment_failed', 'charge.failed']);

/** A notice of a payment processor: failed payments are errors, everything else is information. */
export function fromPayment(body: Static<typeof PaymentBody>): Observation {
  const { type, id = null, data } = body;
  return {
    type: 'payment',
    severity: FAILED_TYPES.has(type) ? 'error' : 'info',
    source: 'payments',
    message: type,
    payload: { type, id, data },
    correlation: body.correlation,
  };
}
