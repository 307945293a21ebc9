import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

/* Reports errors at a steady pace, and prints what the client says that it lost. The DSN is in SENTRY_DSN. */
const Sentry = createRequire(import.meta.url)(process.argv[2]);
const [count, intervalMs] = process.argv.slice(3).map(Number);

const lost = {};
Sentry.init({ integrations: (all) => all.filter(({ name }) => name !== 'Context' && name !== 'Modules') });
const client = Sentry.getClient?.() ?? Sentry.getCurrentHub().getClient();
const record = client.recordDroppedEvent.bind(client);
client.recordDroppedEvent = (reason, category, ...rest) => {
  lost[reason] = (lost[reason] ?? 0) + 1;
  record(reason, category, ...rest);
};
const start = performance.now();
for (let number = 0; number < count; number++) {
  Sentry.captureException(new Error(`Failure ${number} of ${process.argv[2]}`));
  await delay(Math.max(0, start + (number + 1) * intervalMs - performance.now()));
}
const isEmpty = await Sentry.close(60_000);
process.stdout.write(`${JSON.stringify({ lost, isEmpty })}\n`);
