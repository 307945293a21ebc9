/** A failure of the payment service: an error of the server, not of the customer. */
class PaymentError extends Error {
  name = 'PaymentError';
  status = 502;
}

/**
 * Simulates a payment service that fails now and then.
 * @param {{ id: string, total: number }} order
 * @param {number} failureRate from 0 (never) to 1 (always)
 */
export async function chargeCard(order, failureRate) {
  // Roughly the duration of a real payment.
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (Math.random() < failureRate) {
    throw new PaymentError(`The payment service did not answer for order ${order.id}`);
  }
}
