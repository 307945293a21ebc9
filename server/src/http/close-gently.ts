import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import type { HttpApp } from './app.ts';
import { listenersOf } from './listen.ts';

/** How long a kept connection may stay silent before it counts as unused. */
const GRACE_MS = 250;
const LOOK_INTERVAL_MS = 50;

/**
 * Stops an application so that no request is cut. Closing idle connections at once, as Node does by itself,
 * resets those on which the next request is already on its way. So: no new connections; every answer says that
 * its connection ends with it; what is still silent after a moment is closed. Resolves when no connection is
 * left, WebSockets included.
 */
export async function closeGently(app: HttpApp): Promise<void> {
  const { server } = app;
  const listeners = listenersOf(app);
  const closed = Promise.all(listeners.map((listener) => once(listener, 'close')));
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  // Not the method of the HTTP server: that closes idle connections.
  for (const listener of listeners) net.Server.prototype.close.call(listener);

  let looks: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    server.closeIdleConnections();
    looks = setInterval(() => server.closeIdleConnections(), LOOK_INTERVAL_MS);
  }, GRACE_MS);
  await closed;
  clearTimeout(grace);
  clearInterval(looks);
  await app.close();
}
