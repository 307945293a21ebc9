import dns from 'node:dns/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { createTestApp } from '../../test/support/http-app.ts';
import { closeGracefully } from './close-gracefully.ts';
import { listen } from './listen.ts';

// A name with two addresses, like `localhost` on most machines.
const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
// Typed by another overload, which finds one address.
vi.spyOn(dns, 'lookup').mockResolvedValue(addresses as never);
syncBuiltinESMExports();

interface Answer {
  status: number;
  connection: string | undefined;
}

describe('an application that is stopped', () => {
  /** @param host address of the requests, one of those that the application listens on */
  async function start(host = '127.0.0.1') {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const app = await createTestApp();
    app.get('/', () => 'ok');
    app.get('/held', async () => {
      await held;
      return 'ok';
    });
    const port = await listen(app, { host: 'localhost', port: 0, portVariable: 'PORT' });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string, through = agent) =>
      new Promise<Answer>((resolve, reject) => {
        const request = http.get({ port, host, path, agent: through }, (response) => {
          response.resume();
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
          );
        });
        request.on('error', reject);
      });
    return { app, get, release };
  }

  it('answers a request on a kept-alive connection during the shutdown, and closes the connection with it', async () => {
    const { app, get } = await start();
    expect(await get('/')).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = closeGracefully(app, 250);
    expect(await get('/')).toEqual({ status: 200, connection: 'close' });
    await closed;
    await expect(get('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each(['127.0.0.1', '127.0.0.2'])('waits for the requests in flight at %s', async (host) => {
    const { app, get, release } = await start(host);
    const answer = get('/held');
    await new Promise((resolve) => app.server.once('request', resolve));
    let isClosed = false;
    const closed = closeGracefully(app, 250).then(() => (isClosed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    await expect(get('/', new http.Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(isClosed).toBe(false);
    release();
    expect((await answer).status).toBe(200);
    await closed;
  });

  it('closes idle connections', async () => {
    const { app, get } = await start();
    await get('/');
    await closeGracefully(app, 250);
    expect(app.server.listening).toBe(false);
  });
});
