import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../test/support/http-app.ts';
import { waitFor } from '../../test/support/wait.ts';
import { MAX_UNREAD_BYTES } from './unread-bodies.ts';

it.each(['GET', 'POST'])(
  'ends the connection of a body that goes on behind the answer to a %s',
  async (method) => {
    const app = await createTestApp({ requestTimeoutMs: 3_600_000, decompressRequests: true });
    app.get('/', async () => ({}));
    app.addHook('onRequest', async (request) => {
      if (request.method === 'POST') throw new Error('It is refused.');
    });
    app.post('/', async () => ({}));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let received = '';
    let sent = 0;
    socket.on('data', (chunk) => (received += String(chunk))).on('error', () => {});
    socket.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const piece = Buffer.alloc(MAX_UNREAD_BYTES / 16, 'x');
    const send = () => {
      sent += piece.length;
      socket.write(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      );
    };
    await waitFor('the answer', () => /^HTTP\/1\.1 (200|500) /.test(received));
    while (sent < MAX_UNREAD_BYTES) send();
    expect(socket.closed).toBe(false);
    await waitFor('the end of the connection', () => {
      if (!socket.closed) send();
      return socket.closed;
    });
  },
);
