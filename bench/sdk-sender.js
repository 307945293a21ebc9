import { Tocsin } from '@tocsin/sdk';

/*
 * An application that captures events with the SDK: `loop` makes all calls without yielding, `awaiting` keeps 64 of them
 * under way. Prints what it lost, how long it took until each call was settled, and how much memory it grew by.
 * Usage: node sdk-sender.js URL API_KEY loop|awaiting CALLS
 */
const AWAITING = 64;

const [, , baseUrl = '', apiKey = '', manner, calls = '0'] = process.argv;
const count = Number(calls);
const client = new Tocsin({ apiKey, baseUrl });
const event = {
  type: 'checkout',
  severity: 'info',
  message: 'Order 48213 was paid with card ending 4242',
  source: 'shop',
  correlation: { order_id: 'ord_48213', user_id: 'usr_77' },
  payload: { amount: 4200, currency: 'EUR', items: [{ sku: 'A-1', quantity: 2 }], express: true },
};

// The first request connects and compiles.
await client.capture(event);
globalThis.gc?.();
const before = process.memoryUsage.rss();
let most = before;
const watching = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 5);
const startedAt = performance.now();
if (manner === 'loop') {
  for (let index = 0; index < count; index++) void client.capture(event);
  most = Math.max(most, process.memoryUsage.rss());
  await client.flush();
} else {
  let left = count;
  await Promise.all(
    Array.from({ length: AWAITING }, async () => {
      while (left-- > 0) await client.capture(event);
    }),
  );
}
const settledMs = performance.now() - startedAt;
clearInterval(watching);
const { sent, lost } = client.stats();
const losses = Object.values(lost).reduce((sum, number) => sum + number, 0);
process.stdout.write(`${JSON.stringify({ sent: sent - 1, losses, settledMs, grewBytes: most - before })}\n`);
