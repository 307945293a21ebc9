import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import pg from 'pg';
import { atEnd } from './at-end.ts';

/** A proxy to a server that a test can interrupt. It closes at the end of the test. */
interface NetworkProxy {
  port: number;
  /** Returns the number of connections since the start. */
  connections: () => number;
  /** Passes nothing on for present connections without closing them, as after a silent failover. */
  silence: () => void;
  /** Closes all connections. */
  cut: () => void;
  /** Closes all connections, and accepts no new ones. */
  refuse: () => void;
  /** Accepts connections again. */
  restore: () => void;
}

async function startNetworkProxy(target: NetConnectOpts): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    const upstream = connect(target);
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
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = () => {
    server.close();
    cut();
  };
  atEnd(refuse);
  return {
    port,
    connections: () => connections,
    silence: () => {
      for (const socket of sockets) socket.removeAllListeners('data').resume();
    },
    cut,
    refuse,
    restore: () => void server.listen(port, '127.0.0.1'),
  };
}

interface ServerProxy extends NetworkProxy {
  /** URL of the server through the proxy. */
  url: string;
}

export interface DatabaseProxy extends ServerProxy {
  /** The same as the parts of the URL. */
  connection: { host: string; port: number; user: string; password: string; database: string };
}

export async function startServiceProxy(serviceUrl: string): Promise<ServerProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const proxy = await startNetworkProxy({ host: hostname, port: Number(port) });
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` };
}

export async function startDatabaseProxy(connectionString: string): Promise<DatabaseProxy> {
  const { host, port, user = '', password = '', database = '' } = new pg.Client(connectionString);
  const proxy = await startNetworkProxy(
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
  );
  const connection = { host: '127.0.0.1', port: proxy.port, user, password, database };
  const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}/${database}`;
  return { ...proxy, connection, url };
}
