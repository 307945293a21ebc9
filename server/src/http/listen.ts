import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { HttpApp } from './http-app.ts';
import { ListeningSockets } from './sockets/listening-sockets.ts';

/**
 * Maximum connections that the kernel completes before the process accepts them. Node's own 511 overflow when
 * thousands of clients come at once: each that finds no room waits a second or more. The kernel uses the smaller one
 * of this, its largest number, and `net.core.somaxconn`, which is 4096 since Linux 5.4: so the system's setting is
 * what counts.
 */
const BACKLOG = 65_535;

/** Listeners of further addresses, by the server that answers their connections. */
const FURTHER = new WeakMap<object, Server[]>();

/** Listeners whose connections an application answers: its own, and one for each further address. */
export function listenersOf({ server }: HttpApp): Server[] {
  return [server, ...(FURTHER.get(server) ?? [])];
}

export class ListenError extends Error {
  override name = 'ListenError';
}

export interface ListenAddress {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Environment variables that set port and host, for the error; by default `HOST` is the second one. */
  portVariable: string;
  hostVariable?: string;
  /** Sockets of the process, which has inherited none by default. */
  sockets?: ListeningSockets;
}

/**
 * Opens the port, or takes over the sockets that the process has inherited for it.
 * @returns the port, which differs from the wanted one if that was 0
 * @throws ListenError with a sentence for the user who started the service
 */
export async function listen(
  app: HttpApp,
  { host, port, portVariable, hostVariable = 'HOST', sockets = new ListeningSockets() }: ListenAddress,
): Promise<number> {
  const [inherited, ...furtherInherited] = sockets.find(portVariable, port);
  try {
    if (inherited) {
      await app.ready();
      await startListening(app.server, inherited);
      for (const socket of furtherInherited) await listenAlso(app, socket);
    } else {
      const [address = host, ...others] = await addressesOf(host);
      await app.listen({ host: address, port, backlog: BACKLOG });
      for (const other of others) await listenAlso(app, other);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') {
      throw new ListenError(
        `Port ${port} is in use: stop the program that uses it, or set ${portVariable} to another port.`,
      );
    }
    if (code === 'EACCES')
      throw new ListenError(`Port ${port} may not be opened by this user: set ${portVariable}.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ListenError(`${host} is not an address of this machine: correct ${hostVariable}.`);
    }
    throw error;
  }
  for (const listener of listenersOf(app)) sockets.add(portVariable, listener);
  return (app.server.address() as AddressInfo).port;
}

/** The addresses of a host: `localhost` is one name of two addresses, and a client may try either. */
async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/**
 * Passes the connections of a further address, or of an inherited socket, to the server. One that cannot be opened is left
 * out.
 */
async function listenAlso({ server }: HttpApp, place: string | Socket): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const further = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket);
  });
  const opened = startListening(further, typeof place === 'string' ? { host: place, port } : place);
  const isOpen = await opened.then(
    () => true,
    () => false,
  );
  if (!isOpen) return;
  FURTHER.set(server, [...(FURTHER.get(server) ?? []), further]);
  server.once('close', () => further.close());
}

async function startListening(server: Server, place: Socket | { host: string; port: number }): Promise<void> {
  if ('host' in place) server.listen({ ...place, backlog: BACKLOG });
  else server.listen(place, BACKLOG);
  await once(server, 'listening');
}
