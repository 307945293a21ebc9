/** The event of the benchmarks: 230 bytes, as an application sends it. */
export const EVENT = JSON.stringify({
  type: 'checkout',
  severity: 'INFO',
  message: 'Order 48213 was paid with card ending 4242',
  source: 'shop',
  correlation: { order_id: 'ord_48213', user_id: 'usr_77' },
  payload: { amount: 4200, currency: 'EUR', items: [{ sku: 'A-1', quantity: 2 }], express: true },
});
