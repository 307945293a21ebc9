import type { AddressInfo } from 'node:net';
import type { HttpApp } from './app.ts';

export class ListenError extends Error {
  override name = 'ListenError';
}

/**
 * Opens the port.
 * @param variable the environment variables that name port and host, for the error
 * @returns the port, which differs from the wanted one where that was 0
 * @throws ListenError with a sentence for whoever started the service
 */
export async function listen(
  app: HttpApp,
  host: string,
  port: number,
  variable: string,
  hostVariable = 'HOST',
): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') {
      throw new ListenError(`Port ${port} is in use: stop what uses it, or set ${variable} to another.`);
    }
    if (code === 'EACCES')
      throw new ListenError(`Port ${port} may not be opened by this user: set ${variable}.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ListenError(`${host} is no address of this machine: correct ${hostVariable}.`);
    }
    throw error;
  }
  return (app.server.address() as AddressInfo).port;
}
