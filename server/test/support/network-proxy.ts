import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { atEnd } from './at-end.ts';

/** A way to a database that a test can interrupt. */
export interface NetworkProxy {
  /** How to reach the database over it. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** Connections made since the beginning. */
  connections: () => number;
  /** Passes nothing on for the connections that there are, and closes none: what a failover without a word leaves. */
  silence: () => void;
  /** Closes all connections. */
  cut: () => void;
  /** Closes all connections, and takes no new ones. */
  refuse: () => void;
}

export async function startNetworkProxy(connectionString: string): Promise<NetworkProxy> {
  const { host, port, user = '', password = '', database = '' } = new pg.Client(connectionString);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  atEnd(() => {
    cut();
    server.close();
  });
  return {
    connection: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      user,
      password,
      database,
    },
    connections: () => connections,
    silence: () => {
      for (const socket of sockets) socket.removeAllListeners('data').resume();
    },
    cut,
    refuse: () => {
      server.close();
      cut();
    },
  };
}
