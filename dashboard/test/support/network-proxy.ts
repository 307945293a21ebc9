import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../../../server/test/support/at-end.ts';

export interface NetworkProxy {
  /** The address of the service behind the proxy. */
  url: string;
  /** Closes every connection and accepts no new one. */
  cut: () => void;
  /** Accepts connections again. */
  restore: () => void;
}

/** A TCP proxy between browsers and a service, which a test can interrupt. It closes at the end of the test. */
export async function startNetworkProxy(serviceUrl: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    const both = [near, far];
    for (const socket of both) {
      sockets.add(socket);
      const end = () => {
        sockets.delete(socket);
        for (const one of both) one.destroy();
      };
      socket.on('close', end).on('error', end);
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  atEnd(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    restore: () => {
      whole = true;
    },
  };
}
