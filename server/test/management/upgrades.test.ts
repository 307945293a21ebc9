import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { buildManagement } from '../../src/roles/management.ts';
import { atEnd } from '../support/at-end.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];
const HANDSHAKE = [...UPGRADE, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
const HOST = 'Host: tocsin.example.com';
const EACH = 30;

describe('an upgrade that is refused', async () => {
  const service = await startTestService();
  const { api } = await service.signUp();
  const { pool } = service.context;
  const { app } = await buildManagement(service.context, service.context.config, {
    pool,
    sessionPool: pool,
    readPool: pool,
  });
  const port = await listen(app, { host: '127.0.0.1', port: 0, portVariable: 'PORT' });
  atEnd(() => app.close());
  const cookie = `Cookie: ${api.cookie}`;

  /** Returns the server's bytes until it ends the connection. The client never ends it. */
  const send = async (bytes: string): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => {});
    socket.write(bytes, 'latin1');
    await Promise.race([once(socket, 'end'), once(socket, 'close')]);
    socket.destroy();
    return received;
  };
  const countConnections = (server: Server) =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  it.each<[string, string[], number]>([
    ['by a malformed address', ['GET /%%zz HTTP/1.1', HOST, ...UPGRADE], 400],
    [
      'by an address with a parameter that is too long',
      [`GET /projects/${'x'.repeat(300)} HTTP/1.1`, HOST, ...UPGRADE],
      404,
    ],
    ['by two Host headers', ['GET /ws HTTP/1.1', HOST, HOST, ...HANDSHAKE], 400],
    ['by no Host header', ['GET /ws HTTP/1.1', ...HANDSHAKE], 400],
    ['by a query that is no UTF-8', ['GET /ws?a=%ff HTTP/1.1', HOST, ...HANDSHAKE], 400],
    ['by an unknown address', ['GET /nothing HTTP/1.1', HOST, ...HANDSHAKE], 404],
    ['by a wrong method', ['PUT /ws HTTP/1.1', HOST, ...HANDSHAKE], 405],
    ['by a method with a body', ['POST /auth/login HTTP/1.1', HOST, ...UPGRADE, 'Content-Length: 2'], 404],
    ['by the probe of the process', ['GET /livez HTTP/1.1', HOST, ...HANDSHAKE], 404],
    ['by the metrics', ['GET /metrics HTTP/1.1', HOST, ...HANDSHAKE], 404],
    ['by a page of the dashboard', ['GET /app/ HTTP/1.1', HOST, ...HANDSHAKE], 404],
    ['by a redirect', ['GET / HTTP/1.1', HOST, ...HANDSHAKE], 404],
    ['by a route of the API', ['GET /projects HTTP/1.1', HOST, cookie, ...HANDSHAKE], 404],
    ['by the WebSocket without a session', ['GET /ws HTTP/1.1', HOST, ...HANDSHAKE], 401],
    [
      'by the WebSocket for its origin',
      ['GET /ws HTTP/1.1', HOST, cookie, 'Origin: https://evil.example.com', ...HANDSHAKE],
      403,
    ],
    ['by the WebSocket for its method', ['HEAD /ws HTTP/1.1', HOST, cookie, ...HANDSHAKE], 404],
    [
      'by the WebSocket for another protocol',
      ['GET /ws HTTP/1.1', HOST, cookie, 'Connection: Upgrade', 'Upgrade: h2c'],
      400,
    ],
    [
      'by the WebSocket for its key',
      ['GET /ws HTTP/1.1', HOST, cookie, ...UPGRADE, 'Sec-WebSocket-Version: 13'],
      400,
    ],
  ])('answers a refused upgrade %s, and closes its socket', async (_what, lines, status) => {
    const request = `${lines.join('\r\n')}\r\n\r\n`;
    const answers = await Promise.all(Array.from({ length: EACH }, () => send(request)));
    for (const answer of answers) {
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    }
    await waitFor('no connection to be left', async () => (await countConnections(app.server)) === 0);
  });

  it('closes the socket of a refused upgrade even if an earlier request is not answered yet', async () => {
    const first = ['GET /projects HTTP/1.1', HOST, cookie].join('\r\n');
    const second = ['GET /ws HTTP/1.1', HOST, cookie, ...HANDSHAKE].join('\r\n');
    await Promise.all(Array.from({ length: EACH }, () => send(`${first}\r\n\r\n${second}\r\n\r\n`)));
    await waitFor('no connection to be left', async () => (await countConnections(app.server)) === 0);
  });
});
