import { ApiError } from '../platform/errors.ts';
import { DEFAULT_HEADERS, type HttpApp } from './http-app.ts';
import { assertProtocol, hasSingleHostHeader } from './protocol.ts';
import { RouteMethods } from './route-methods.ts';
import { assertTakesUpgrade } from './upgrades.ts';

/** Refuses what no route takes, before the hooks of the routes run: 404, 405, and what breaks the protocol. */
export function installRequestChecks(app: HttpApp): void {
  const routeMethods = new RouteMethods();
  app.addHook('onRoute', (route) => routeMethods.add(route));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(DEFAULT_HEADERS);
    assertProtocol(request.raw);
    if (request.is404) throw routeMethods.refusal(request.method, request.url);
    assertTakesUpgrade(request);
    assertUtf8Query(request.url);
    // It says that the body is not encoded, as its absence does.
    if (request.headers['content-encoding'] === 'identity') delete request.headers['content-encoding'];
    if (!hasSingleHostHeader(request.raw))
      throw new ApiError('bad_request', 'The request must have one Host header.');
    done();
  });
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found', 'There is nothing at this address.');
  });
}

/** Refuses a query that is not UTF-8, which would be read with replacement characters, as another query. */
function assertUtf8Query(url: string): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return;
  try {
    decodeURIComponent(url.slice(start + 1));
  } catch {
    throw new ApiError('bad_request', 'The query is not valid UTF-8.');
  }
}
