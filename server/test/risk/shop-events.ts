import type { SentEvent } from './project-life.ts';

export const CHECKOUT: SentEvent = {
  type: 'checkout',
  severity: 'ERROR',
  source: 'shop',
  message: 'Card refused',
  release: '4.18.2',
  users: 7,
};
export const MAIL: SentEvent = {
  type: 'mail',
  severity: 'ERROR',
  source: 'post',
  message: 'Mailbox full',
  users: 30,
};
export const SYNC: SentEvent = {
  type: 'sync',
  severity: 'ERROR',
  source: 'broker',
  message: 'Broker is gone',
  users: 90,
};
export const ORDERS: SentEvent = {
  type: 'order',
  severity: 'INFO',
  source: 'web',
  message: 'Order paid',
  users: 50,
};

/** Clauses for the stored events that a lead has to count, independent of the service. */
export const IS = {
  checkout: `type = 'checkout' AND severity = 'error' AND source = 'shop'`,
  sync: `type = 'sync' AND severity = 'error' AND source = 'broker'`,
  failures: `type = 'payment' AND severity >= 'error'`,
  failuresOfProcessor: `type = 'payment' AND (severity >= 'error' OR message = 'invoice.payment_failed')`,
  newError: `message LIKE 'Brand new%'`,
};
