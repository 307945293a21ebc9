const HOURS = 20;
const EVENT_COUNT = 360;
const HOUR_MS = 3_600_000;

/** Kinds of a shop's events, with their frequency. */
const KINDS = [
  {
    weight: 20,
    type: 'order',
    severity: 'INFO',
    source: 'checkout',
    message: 'Order {n} was placed for {n} €',
  },
  { weight: 12, type: 'login', severity: 'INFO', source: 'accounts', message: 'Customer {n} logged in' },
  { weight: 6, type: 'slow_query', severity: 'WARN', source: 'catalogue', message: 'Query took {n} ms' },
  {
    weight: 3,
    type: 'stock',
    severity: 'WARN',
    source: 'warehouse',
    message: 'Only {n} pieces left of item {n}',
  },
  {
    weight: 2,
    type: 'checkout',
    severity: 'ERROR',
    source: 'checkout',
    message: 'Card was declined for order {n}',
  },
  { weight: 1, type: 'mail', severity: 'ERROR', message: 'No answer of mail-{n}.example.com after {n} s' },
] as const;
const BY_WEIGHT = KINDS.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));

const STACK = `TypeError: Cannot read properties of undefined (reading 'total')
    at priceOf (/srv/shop/src/basket.ts:42:17)
    at checkout (/srv/shop/src/checkout.ts:108:9)
    at Layer.handle (/srv/shop/node_modules/express/lib/router/layer.js:95:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;

/** Replaces a text of the seed, as written by a person or an application. */
export type Write = (text: string) => string;

/** Returns the events of a working day that ends at a moment. */
export function dayOfEvents(nowMs: number, write: Write) {
  return Array.from({ length: EVENT_COUNT }, (_, index) => toEvent(index, nowMs, write));
}

function toEvent(index: number, nowMs: number, write: Write) {
  const { type, severity, message, ...kind } = BY_WEIGHT[(index * 17) % BY_WEIGHT.length] ?? KINDS[0];
  const number = 1000 + ((index * 37) % 613);
  return {
    type: write(type),
    severity,
    message: write(message).replaceAll('{n}', String(number)),
    ...('source' in kind && { source: write(kind.source) }),
    correlation: { order_id: `ord_${number % 90}`, [write('user_id')]: number % 40 },
    payload: {
      order: { id: number, items: [{ sku: `A-${number % 7}`, count: 2 }], paid: index % 3 > 0 },
      [write('coupon')]: null,
    },
    release: `4.${index % 3}.0`,
    capturedAt: new Date(nowMs - (HOURS * HOUR_MS * index) / EVENT_COUNT).toISOString(),
  };
}

export function serverError(order: number, write: Write) {
  return {
    status_code: 500,
    path: write(`/orders/${order}/checkout`),
    method: 'POST',
    error_message: `${write("Cannot read properties of undefined (reading 'total')")} of order ${order}`,
    stack: STACK.replaceAll(/priceOf|basket|total/g, (word) => write(word)),
    correlation: { order_id: `ord_${order}`, service: write('checkout') },
    release: '4.2.0',
  };
}

export function critical(write: Write) {
  return {
    type: write('database'),
    severity: 'CRITICAL',
    source: write('warehouse'),
    message: write('The replica lags 90 s behind'),
    correlation: { host: write('db-2') },
    release: write('4.3.0'),
    payload: { lagSeconds: 90 },
  };
}

/** Returns payments in this minute, each second one declined. */
export function payments(write: Write) {
  return Array.from({ length: 40 }, (_, index) => ({
    type: 'payment',
    severity: index % 2 ? 'ERROR' : 'INFO',
    source: write('bank'),
    message: write(index % 2 ? 'Card was declined by the bank' : 'Card was charged'),
    correlation: { user_id: index },
    payload: { amount: 1_999, currency: 'eur' },
    release: write('7.0.1'),
  }));
}
