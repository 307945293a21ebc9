import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route accepts handshakes of WebSockets; every other route refuses a request for an upgrade. */
    takesUpgrades?: boolean;
  }
}

/**
 * True if the connection of a request was passed on by the HTTP server: from then on neither its time limits nor the
 * end of the client's side close the socket. False if the server has no listener for upgrades: Node then ignores the
 * header, as RFC 9110 allows.
 */
function isUpgrade(request: IncomingMessage): boolean {
  // Set by Node's parser and missing in its types.
  return (request as IncomingMessage & { upgrade?: boolean | null }).upgrade === true;
}

/** @throws ApiError `not_found` for an upgrade at an address that accepts none */
export function assertTakesUpgrade(request: FastifyRequest): void {
  if (!isUpgrade(request.raw)) return;
  if (request.routeOptions.config.takesUpgrades && request.method === 'GET') return;
  throw new ApiError('not_found', 'This address does not accept an upgrade of the connection.');
}

/** Ends the connection with the answer if an upgrade is refused: nothing else would close its socket. */
export function closeRefusedUpgrade(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (!isUpgrade(raw)) return;
  reply.header('connection', 'close');
  reply.raw.once('finish', () => raw.socket.destroySoon());
}

/**
 * Ends connections that request an upgrade while an earlier request on them is still being answered. No client of
 * HTTP/1.1 may do so, there is no place for a second answer, and the socket would stay open for good. Called before
 * anything else listens for upgrades.
 */
export function endPipelinedUpgrades(server: Server): void {
  const unanswered = new WeakMap<Duplex, number>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  });
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    if ((unanswered.get(socket) ?? 0) > 0) socket.destroy();
  });
}
