import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../test/support/http-app.ts';
import { waitFor } from '../../test/support/wait.ts';

it('serves the next request of a connection whose compressed body was refused for its type', async () => {
  const app = await createTestApp({
    bodyLimit: 1_000_000,
    requestTimeoutMs: 3_600_000,
    decompressRequests: true,
  });
  let refused: Socket | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    refused ??= request.raw.socket;
    done();
  });
  app.post('/', async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const request = (type: string, coding: string, body: Buffer): [Buffer, Buffer] => [
    Buffer.from(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Encoding: ${coding}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ];
  // More than the streams hold: it does not become smaller.
  const [head, body] = request('text/plain', 'gzip', zlib.gzipSync(randomBytes(500_000)));
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  const statuses = () => [...received.matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1]);
  const sent = Buffer.concat([head, body.subarray(0, 100_000)]);
  socket.write(sent);
  await waitFor('the refusal', () => statuses().length === 1);
  await waitFor('what was sent to be read', () => refused?.bytesRead === sent.length);
  socket.write(body.subarray(100_000));
  socket.write(Buffer.concat(request('application/json', 'identity', Buffer.from('{}'))));
  await waitFor('the next answer', () => statuses().length === 2);
  expect(statuses()).toEqual(['415', '200']);
});
