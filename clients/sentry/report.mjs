import { createRequire } from 'node:module';
import { declined } from '../otlp/declined.mjs';

const Sentry = createRequire(import.meta.url)(process.argv[2]);

// The DSN is in SENTRY_DSN.
Sentry.init({
  release: 'shop@1.4.2',
  environment: 'staging',
  serverName: 'pod-7f9c',
  // They describe the machine that the program runs on.
  integrations: (all) => all.filter(({ name }) => name !== 'Context' && name !== 'Modules'),
});

const failed = new Error('Payment failed', { cause: declined });
failed.stack = `Error: Payment failed
    at pay (/app/src/orders.js:7:11)
    at next (/app/node_modules/express/lib/router/index.js:280:10)`;
Sentry.captureException(failed, { user: { id: 'usr_1' } });
Sentry.captureMessage('Stock is low', 'warning');
await Sentry.close(8_000);
