import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes handshakes of WebSockets; every other route refuses a request that wants to upgrade. */
    takesUpgrades?: boolean;
  }
}

/**
 * Whether the connection of a request left the HTTP server's hands: from then on neither its time limits nor the
 * end of the client's side close the socket. False where the server has no listener for upgrades: Node then
 * ignores the header, as RFC 9110 allows.
 */
function isUpgrade(request: IncomingMessage): boolean {
  // Set by Node's parser and missing in its types.
  return (request as IncomingMessage & { upgrade?: boolean | null }).upgrade === true;
}

/** @throws ApiError `not_found` for an upgrade at an address that takes none */
export function assertTakesUpgrade(request: FastifyRequest): void {
  if (!isUpgrade(request.raw)) return;
  if (request.routeOptions.config.takesUpgrades && request.method === 'GET') return;
  throw new ApiError('not_found', 'Nothing takes an upgrade of the connection at this address.');
}

/** Ends the connection with the answer where an upgrade is refused: nothing else would close its socket. */
export function closeRefusedUpgrade(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (!isUpgrade(raw)) return;
  reply.header('connection', 'close');
  reply.raw.once('finish', () => raw.socket.destroySoon());
}

/**
 * Ends connections that ask for an upgrade while an earlier request on them is still being answered. No client
 * of HTTP/1.1 may do so, there is no place for a second answer, and the socket would stay open for good.
 * To be called before anything else listens for upgrades.
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
