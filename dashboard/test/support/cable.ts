import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

export interface Cable {
  /** Where the service answers through the cable. */
  url: string;
  /** Ends every connection and takes no new one. */
  cut: () => void;
  /** Takes connections again. */
  mend: () => void;
}

/** A cable between browsers and a service, that a test can cut. The end of the test file removes it. */
export async function layCable(serviceUrl: string): Promise<Cable> {
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
  afterAll(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The cable has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      whole = true;
    },
  };
}
