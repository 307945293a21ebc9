import { once } from 'node:events';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const Sentry = require(process.argv[2]);

// The DSN is in SENTRY_DSN.
Sentry.init({
  serverName: 'pod-7f9c',
  // They describe the machine that the program runs on.
  integrations: (all) => all.filter(({ name }) => name !== 'Context' && name !== 'Modules'),
});
const express = require('express');

const app = express();
app.get('/orders/:id', ({ params }) => {
  throw new TypeError(`Order ${params.id} has no card`);
});
Sentry.setupExpressErrorHandler(app);
app.use((_error, _request, response, _next) => response.sendStatus(500));

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
await fetch(`http://127.0.0.1:${server.address().port}/orders/7`);
server.close();
server.closeAllConnections();
await Sentry.close(8_000);
