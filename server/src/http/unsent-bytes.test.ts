import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../test/support/http-app.ts';
import { waitFor } from '../../test/support/wait.ts';
import type { HttpApp } from './http-app.ts';
import { MAX_UNSENT_BYTES_PER_OWNER, setAnswerOwner, UnsentBytes } from './unsent-bytes.ts';

const PAGE_BYTES = 8 * 1024 * 1024;
const PAGES = MAX_UNSENT_BYTES_PER_OWNER / PAGE_BYTES;
const codeOf = (run: () => void) => {
  try {
    run();
    return 'room';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};
const connectionsOf = ({ server }: HttpApp) =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

describe('the bytes that wait to be sent', () => {
  it('bounds the unsent bytes of an owner while clients read nothing, and frees them when these are gone', async () => {
    const app = await createTestApp({ requestTimeoutMs: 3_600_000, compressResponses: true });
    const page = 'a'.repeat(PAGE_BYTES);
    app.addHook('onRequest', async (request) => {
      setAnswerOwner(request, String(request.headers['x-owner']));
    });
    app.get('/page', async () => page);
    app.post('/page', async () => page);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const ask = (owner: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}/page`, {
        method,
        headers: { 'x-owner': owner, 'accept-encoding': 'identity' },
      });
    // Answers that do not fit into the system's buffers stay in the process: so each client asks ten times.
    const sockets = Array.from({ length: PAGES }, (): Socket => {
      const socket = connect(port, '127.0.0.1').pause();
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      socket.write('GET /page HTTP/1.1\r\nHost: a\r\nX-Owner: slow\r\n\r\n'.repeat(10));
      return socket;
    });
    await waitFor(
      'too much to wait',
      () => codeOf(() => app.unsentBytes.assertRoom('slow', PAGE_BYTES)) !== 'room',
    );
    const refused = await ask('slow');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    const other = await ask('other');
    expect(other.status).toBe(200);
    expect(await other.text()).toHaveLength(PAGE_BYTES);
    for (const socket of sockets) socket.destroy();
    await waitFor(
      'room again',
      () => codeOf(() => app.unsentBytes.assertRoom('slow', PAGE_BYTES)) === 'room',
    );
    expect((await (await ask('slow')).text()).length).toBe(PAGE_BYTES);
  });

  it.each([
    ['before they are complete', false],
    ['while one waits behind another', true],
  ])('counts no answers whose client has left %s', async (_when, isPipelined) => {
    const app = await createTestApp({ requestTimeoutMs: 3_600_000 });
    const handled: (() => void)[] = [];
    let answers = 0;
    app.addHook('onRequest', async (request) => setAnswerOwner(request, 'gone'));
    app.addHook('onSend', async () => void answers++);
    app.get('/page', async () => {
      await new Promise<void>((resolve) => handled.push(resolve));
      return 'a'.repeat(1_000);
    });
    const waits = () =>
      codeOf(() => app.unsentBytes.assertRoom('gone', MAX_UNSENT_BYTES_PER_OWNER + 1)) !== 'room';
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET /page HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    await waitFor('both requests', () => handled.length === 2);
    if (isPipelined) {
      handled[1]?.();
      await waitFor('the second answer to wait', waits);
    }
    socket.destroy();
    await waitFor('the connection to end', async () => (await connectionsOf(app)) === 0);
    for (const answer of handled) answer();
    await waitFor('both answers', () => answers === 2);
    await waitFor('nothing to wait', () => !waits());
  });

  it('lets one answer of any size pass where nothing waits', () => {
    const unsent = new UnsentBytes();
    expect(codeOf(() => unsent.assertRoom('one', MAX_UNSENT_BYTES_PER_OWNER + 1))).toBe('room');
  });

  it('bounds the unsent bytes in all, but for small answers', () => {
    const unsent = new UnsentBytes();
    const ends = Array.from({ length: 32 }, (_, index) => unsent.add(`owner ${index}`, PAGE_BYTES));
    expect(codeOf(() => unsent.assertRoom('another', PAGE_BYTES))).toBe('unavailable');
    expect(codeOf(() => unsent.assertRoom('another', 1_000))).toBe('room');
    expect(codeOf(() => unsent.assertRoom('another'))).toBe('room');
    for (const end of ends) end();
    expect(codeOf(() => unsent.assertRoom('another', PAGE_BYTES))).toBe('room');
  });
});
