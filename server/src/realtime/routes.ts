import type { HttpApp } from '../http/http-app.ts';
import { ApiError } from '../platform/errors.ts';
import { isCrossOrigin } from '../tenancy/accounts/own-origin.ts';
import { sessionOf } from '../tenancy/session.ts';
import type { Hub } from './hub.ts';

/**
 * Registers the handshake: session cookie or token authenticate it (by the hook of this scope), the origin must be
 * our own.
 */
export function registerWebSocketRoute(
  app: HttpApp,
  { hub, publicUrl }: { hub: Hub; publicUrl: URL | null },
): void {
  app.get(
    '/ws',
    {
      websocket: true,
      config: { takesUpgrades: true },
      schema: { hide: true },
      preValidation: (request, _reply, done) => {
        if (!request.ws) throw new ApiError('not_found', 'Only WebSocket handshakes are accepted here.');
        if (isCrossOrigin(request, publicUrl))
          throw new ApiError(
            'cross_origin',
            'The WebSocket accepts connections from the service’s own pages only.',
          );
        hub.assertPlace(sessionOf(request));
        done();
      },
    },
    (socket, request) => {
      app.stalledSockets.release(request.raw.socket);
      hub.connect(socket, sessionOf(request));
    },
  );
}
