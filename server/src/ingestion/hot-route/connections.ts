import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HotConnection, type HotRoute } from './connection.ts';

/** By so much a connection may outlive its time. */
const LOOK_INTERVAL_MS = 5_000;

type ServedRoute = Omit<HotRoute, 'isListening' | 'handOver' | 'refuse'>;

/** @returns what looks at their times, by itself every five seconds as well */
export function serveConnections(server: Server, route: ServedRoute): { look: () => void } {
  return new HotConnections(server, route);
}

/**
 * Serves the connections of a server as hot ones for as long as they are. `node:http` knows only those that it was given: what it
 * does for others (times, closing) is done here for the rest.
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
        // Paused, so that the bytes lie before those that arrive.
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
    const looking = setInterval(() => this.look(), Math.min(LOOK_INTERVAL_MS, server.requestTimeout)).unref();
    server.once('close', () => clearInterval(looking));
  }

  /** One look at the times of all connections; to be called every five seconds. */
  look(): void {
    for (const connection of this.#connections) connection.checkTime(this.#server);
  }

  /** The two ways in which `http.Server` closes connections close these, too. */
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

/** Takes the listener away by which a server reads its connections. */
function takeListener(server: Server): ConnectionListener {
  const [listener] = server.listeners('connection');
  if (!listener) throw new Error('The server has no listener of connections.');
  // Listeners have no type of their own; Node documents this one by its event.
  server.removeListener('connection', listener as ConnectionListener);
  return listener as ConnectionListener;
}
