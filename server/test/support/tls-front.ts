import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { atEnd } from './at-end.ts';

/** Returns the path of a test certificate. */
export function certificatePath(name: 'ca.pem' | 'other-ca.pem'): string {
  return fileURLToPath(new URL(`tls/${name}`, import.meta.url));
}

/** Length and code of a client's first message when it wants TLS (PostgreSQL's protocol, SSLRequest). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Starts a proxy that demands TLS: it terminates the encryption and passes everything on to the test's server. Its certificate
 * is for `localhost`.
 * @returns the port on the loopback address
 */
export async function startTlsFront(connectionString: string): Promise<number> {
  const { host, port } = new pg.Client(connectionString);
  const [key, cert] = await Promise.all(
    ['server-key.pem', 'server.pem'].map((name) => readFile(new URL(`tls/${name}`, import.meta.url))),
  );
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((socket) => {
    keep(socket).once('data', (first: Buffer) => {
      if (!first.equals(SSL_REQUEST)) {
        socket.destroy();
        return;
      }
      socket.write('S');
      const secure = keep(new TLSSocket(socket, { isServer: true, key, cert }));
      const upstream = keep(host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host));
      secure.pipe(upstream).pipe(secure);
      secure.on('close', () => upstream.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
