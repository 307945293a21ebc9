import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { goneSignal } from './gone-signal.ts';

describe('the signal that a client has gone away', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());

  /** A request on the server's side, and its client. */
  const request = async () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { client, response };
  };

  it('aborts the signal when the client disconnects', async () => {
    const { client, response } = await request();
    const signal = goneSignal(response);
    expect(signal.aborted).toBe(false);
    client.destroy();
    await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ code: 'unavailable' });
  });

  it('returns an aborted signal where the client disconnected before it was requested', async () => {
    const { client, response } = await request();
    client.destroy();
    await once(response, 'close');
    expect(goneSignal(response).aborted).toBe(true);
  });

  it('does not abort the signal at the end of a body, when the request itself closes', async () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
    const [incoming, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const signal = goneSignal(response);
    incoming.resume();
    await once(incoming, 'close');
    expect(signal.aborted).toBe(false);
    client.destroy();
    await once(signal, 'abort');
  });
});
