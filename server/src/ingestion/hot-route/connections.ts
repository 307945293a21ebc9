import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HotConnection, type HotRoute } from './connection.ts';

/** Maximum time by which a connection may exceed its limit. */
const CHECK_INTERVAL_MS = 5_000;

type ServedRoute = Omit<HotRoute, 'isListening' | 'handOver' | 'refuse'>;

/** @returns the check of their time limits, which also runs by itself every five seconds */
export function serveConnections(server: Server, route: ServedRoute): { check: () => void } {
  return new HotConnections(server, route);
}

/**
 * Serves the connections of a server as hot ones for as long as possible. `node:http` knows only those that it was
 * given: its work for connections (time limits, closing) is done here for the rest.
 */
class HotConnections {
  readonly #server: Server;
  readonly #connections = new Set<HotConnection>();

  constructor(server: Server, route: ServedRoute) {
    this.#server = server;
    const toNode = takeListener(server);
    const shared: HotRoute = {
      ...route,
      isListening: () => server.listening,
      handOver: (connection, socket, bytes) => {
        this.#connections.delete(connection);
        // Pause first, so these bytes stay ahead of later ones.
        socket.pause();
        socket.unshift(bytes);
        toNode.call(server, socket);
        socket.resume();
      },
      refuse: (socket, code) =>
        void server.emit('clientError', Object.assign(new Error(code), { code }), socket),
    };
    server.on('connection', (socket: Socket) => {
      const connection = new HotConnection(socket, shared);
      this.#connections.add(connection);
      socket.once('close', () => this.#connections.delete(connection));
    });
    this.#closeWithServer();
    const checking = setInterval(
      () => this.check(),
      Math.min(CHECK_INTERVAL_MS, server.requestTimeout),
    ).unref();
    server.once('close', () => clearInterval(checking));
  }

  /** Checks the time limits of all connections; called every five seconds. */
  check(): void {
    for (const connection of this.#connections) connection.checkTime(this.#server);
  }

  /** Both ways in which `http.Server` closes connections close these, too. */
  #closeWithServer(): void {
    const server = this.#server;
    const closeIdle = server.closeIdleConnections.bind(server);
    const closeAll = server.closeAllConnections.bind(server);
    server.closeIdleConnections = () => {
      closeIdle();
      for (const connection of this.#connections) connection.closeIfIdle();
    };
    server.closeAllConnections = () => {
      closeAll();
      for (const connection of this.#connections) connection.close();
    };
  }
}

type ConnectionListener = (this: Server, socket: Socket) => void;

/** Removes the listener by which a server reads its connections. */
function takeListener(server: Server): ConnectionListener {
  const [listener] = server.listeners('connection');
  if (!listener) throw new Error('The server has no connection listener.');
  // Listeners have no type of their own; Node documents this one by its event.
  server.removeListener('connection', listener as ConnectionListener);
  return listener as ConnectionListener;
}
