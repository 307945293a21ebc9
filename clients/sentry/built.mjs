import { createRequire } from 'node:module';
import { chargeCard } from './built-pay.mjs';

const Sentry = createRequire(import.meta.url)(process.argv[2]);

// The DSN is in SENTRY_DSN.
Sentry.init({
  release: 'shop@1.4.2',
  environment: 'production',
  serverName: 'pod-7f9c',
  // They describe the machine that the program runs on.
  integrations: (all) => all.filter(({ name }) => name !== 'Context' && name !== 'Modules'),
});
try {
  chargeCard({ id: 7 });
} catch (error) {
  Sentry.captureException(error);
}
await Sentry.close(8_000);
