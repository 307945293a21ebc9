import { randomBytes } from 'node:crypto';
import http, { type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../../test/support/wait.ts';
import { StalledSockets } from './stalled-sockets.ts';

const CHECKS = 6;
/**
 * More than the buffers of both sides hold, which are up to 36 MiB (`net.ipv4.tcp_rmem`, `tcp_wmem`), and than is
 * read of it before.
 */
const LARGE = randomBytes(96 * 1024 * 1024);

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/large': (response) => response.end(LARGE),
  '/streamed': (response) => Readable.from(pieces()).pipe(response),
  '/compressed': (response) =>
    Readable.from(pieces())
      .pipe(createGzip({ level: 0 }))
      .pipe(response),
};

function* pieces() {
  for (let at = 0; at < LARGE.length; at += 65_536) yield LARGE.subarray(at, at + 65_536);
}

describe('the watch over stalled sockets', async () => {
  const server = http.createServer((request, response) => ANSWERS[request.url ?? '']?.(response));
  const stalled = new StalledSockets(server);
  // The tests count checks, so they run each one themselves.
  stalled.stop();
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request and reads nothing of the answer, until the server's side cannot write any more. */
  const ask = async (path: string, head = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`) => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => {});
    client.pause().write(head);
    onTestFinished(() => void client.destroy());
    const socket = await waitFor('the connection', () =>
      sockets.find((one) => one.remotePort === client.localPort),
    );
    return { client, socket };
  };
  const standsStill = async (socket: Socket) => {
    let before = -1;
    await waitFor('the socket to stand still', async () => {
      const now = socket.bytesWritten - socket.writableLength;
      const still = socket.writableLength > 0 && now === before;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return still;
    });
  };

  it.each(Object.keys(ANSWERS))(
    'ends a connection whose client does not read %s after six checks',
    async (path) => {
      const { socket } = await ask(path);
      await standsStill(socket);
      for (let round = 1; round < CHECKS; round++) stalled.check();
      expect(socket.destroyed).toBe(false);
      await waitFor('the end of the connection', () => {
        stalled.check();
        return socket.destroyed;
      });
    },
  );

  it.each(Object.keys(ANSWERS))(
    'lets a connection whose client reads %s slowly go on to the end',
    async (path) => {
      const { client, socket } = await ask(path);
      let received = 0;
      let pauseAt = 0;
      // Paused by the received bytes, since on a busy machine all of it may come until the next check.
      client.on('data', (chunk) => {
        received += chunk.length;
        if (received > pauseAt) client.pause();
      });
      for (let pause = 0; pause < 3; pause++) {
        client.pause();
        await standsStill(socket);
        for (let round = 1; round < CHECKS; round++) stalled.check();
        pauseAt = received + 4 * 1024 * 1024;
        client.resume();
        await waitFor('some of it to be read', () => received > pauseAt);
        stalled.check();
        expect(socket.destroyed).toBe(false);
      }
      pauseAt = Infinity;
      client.resume();
      await waitFor('all of it', () => received >= LARGE.length);
      expect(socket.destroyed).toBe(false);
    },
  );

  it('ends a connection whose client reads a little of an answer in memory now and then', async () => {
    const { client, socket } = await ask('/large');
    let received = 0;
    client.on('data', (chunk) => {
      received += chunk.length;
      client.pause();
    });
    client.pause();
    await waitFor('the end of the connection', async () => {
      const before = received;
      client.resume();
      await waitFor('a little to be read', () => received > before || socket.destroyed);
      stalled.check();
      return socket.destroyed;
    });
    expect(received).toBeLessThan(LARGE.length);
  });

  it.each([
    ['that is silent', ''],
    [
      'whose request is still arriving',
      'POST /unanswered HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1',
    ],
    ['whose request is being worked on', 'GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('leaves alone a connection %s: it has nothing to write', async (_what, head) => {
    const { socket } = await ask('', head);
    for (let round = 0; round < 3 * CHECKS; round++) stalled.check();
    expect(socket.destroyed).toBe(false);
  });

  it('does not end a connection that was handed on, such as a WebSocket', async () => {
    const { socket } = await ask('/large');
    await standsStill(socket);
    stalled.release(socket);
    for (let round = 0; round < 3 * CHECKS; round++) stalled.check();
    expect(socket.destroyed).toBe(false);
  });
});
