import type { Log } from '../platform/log.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Warns once if requests come through a proxy that the configuration does not name: all people behind it share its
 * address then, and with it the limits by address.
 */
export function warnOfUntrustedProxy(app: HttpApp, log: Log, trustProxy: boolean | string[]): void {
  if (trustProxy === true) return;
  let warned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const { ip, socket, headers } = request;
    if (!warned && headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress) {
      warned = true;
      log.warn(
        { from: ip },
        'a request has X-Forwarded-For, but its sender is not in TRUST_PROXY: limits count everybody behind it as one address',
      );
    }
    done();
  });
}
