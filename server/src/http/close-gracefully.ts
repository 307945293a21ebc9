import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import type { HttpApp } from './http-app.ts';
import { listenersOf } from './listen.ts';

const POLL_INTERVAL_MS = 50;

/**
 * Stops an application without cutting a request. Closing idle connections at once, as Node does by default, resets
 * those on which the next request is already in flight. Instead, new connections are refused, every answer has
 * `Connection: close`, and connections that are still idle after `idleMs` are closed. Resolves when no connection
 * is left, WebSockets included.
 */
export async function closeGracefully(app: HttpApp, idleMs: number): Promise<void> {
  const { server } = app;
  const listeners = listenersOf(app);
  const closed = Promise.all(listeners.map((listener) => once(listener, 'close')));
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  // The method of `http.Server` would also close idle connections.
  for (const listener of listeners) net.Server.prototype.close.call(listener);

  let polling: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    server.closeIdleConnections();
    polling = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
  }, idleMs);
  await closed;
  clearTimeout(grace);
  clearInterval(polling);
  await app.close();
}
