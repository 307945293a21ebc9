import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDirectAnswers } from '../../../src/http/front-door.ts';
import { refuseConnection } from '../../../src/http/refuse-connection.ts';
import { KeyAuthentication } from '../../../src/ingestion/authentication/authenticate.ts';
import type { KeyLookup } from '../../../src/ingestion/authentication/key-lookup.ts';
import type { PlainEvent } from '../../../src/ingestion/hot-route/connection.ts';
import { serveConnections } from '../../../src/ingestion/hot-route/connections.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createMetrics } from '../../../src/roles/metrics.ts';
import { StillClock } from '../../support/clock.ts';
import { portOf } from '../../support/two-ways.ts';
import { waitFor } from '../../support/wait.ts';

const HEADERS = 'Host: a\r\nX-Api-Key: K\r\nContent-Type: application/json';
const request = (body: string) =>
  `POST /ingest/events HTTP/1.1\r\n${HEADERS}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const OTHER = 'GET /other HTTP/1.1\r\nHost: a\r\n\r\n';

/** Starts a server whose events wait until the test answers them; other requests are answered at once. */
async function start() {
  const clock = new StillClock();
  const server = createServer({ requestTimeout: 55_000, headersTimeout: 15_000, keepAliveTimeout: 72_000 });
  const handedOver: string[] = [];
  server.on('request', ({ url = '' }, response) => {
    handedOver.push(url);
    response.end('from node');
  });
  server.on('clientError', refuseConnection);
  const answers = createDirectAnswers({
    service: 'ingestion',
    log: createLog('silent'),
    metrics: createMetrics(),
    newRequestId: () => 'id',
    logFailure: () => {},
    clock,
    keepAliveTimeoutMs: 72_000,
  });
  const keys = {
    // Only this key has an owner.
    find: async (key: string) => (key === 'K' ? { keyId: 'k', projectId: 'p' } : null),
  };
  // The lookup's other members are private.
  const authentication = new KeyAuthentication(keys as unknown as KeyLookup);
  const underWay: PlainEvent[] = [];
  const connections = serveConnections(server, {
    authentication,
    monotonicMs: () => clock.now(),
    serve: (event) => void underWay.push(event),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const accept = ({ connection, body }: PlainEvent) =>
    answers.accept({ connection, method: 'POST', route: '/' }, '', body.toString());
  const answer = () => {
    const event = underWay.shift();
    if (event) accept(event);
  };
  /** Sends the first pieces, each after the previous one was read. */
  const open = async () => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true });
    const [own] = await accepted;
    const client = { socket, own, received: '', ended: false, closed: false };
    socket.setEncoding('latin1').on('data', (chunk) => (client.received += String(chunk)));
    socket.on('end', () => (client.ended = true)).on('error', () => {});
    socket.on('close', () => (client.closed = true));
    onTestFinished(() => void socket.destroy());
    let sent = 0;
    const send = async (text: string) => {
      sent += text.length;
      socket.write(text);
      await waitFor('the bytes to be read', () => own.bytesRead === sent);
    };
    return { client, socket, own, send, bodies: () => bodiesOf(client.received) };
  };
  const untilUnderWay = (count: number) => waitFor('events under way', () => underWay.length === count);
  return { clock, server, connections, handedOver, underWay, accept, answer, open, untilUnderWay };
}

function bodiesOf(received: string): string[] {
  return [...received.matchAll(/\r\n\r\n([^H]*)/g)].map(([, body = '']) => body);
}

describe('a connection of the hot route', () => {
  it('accepts the first event with a key that is not known yet, and its body in any pieces', async () => {
    const { handedOver, answer, open, untilUnderWay } = await start();
    const { send, bodies } = await open();
    const text = request('{"a":1}');
    const head = text.indexOf('{');
    for (const piece of [text.slice(0, head), ...text.slice(head).split('')]) await send(piece);
    await untilUnderWay(1);
    answer();
    await waitFor('the answer', () => bodies().length === 1);
    expect(bodies()).toEqual(['{"a":1}']);
    expect(handedOver).toEqual([]);
  });

  it('closes a connection whose event is answered twice, without the second answer', async () => {
    const { underWay, accept, open, untilUnderWay } = await start();
    const { client, own, send, bodies } = await open();
    await send(request('1'));
    await untilUnderWay(1);
    const [event] = underWay;
    if (!event) throw new Error('No event is under way.');
    accept(event);
    expect(() => accept(event)).toThrow('A connection that waits for next is answered.');
    // As when the hot route answers an error: the connection is gone.
    accept(event);
    expect(own.destroyed).toBe(true);
    await waitFor('the connection to end', () => client.ended);
    expect(bodies()).toEqual(['1']);
  });

  it('leaves an event with an unknown key to node:http', async () => {
    const { handedOver, open } = await start();
    const { send, bodies } = await open();
    await send(request('{}').replace('X-Api-Key: K', 'X-Api-Key: L'));
    await waitFor('the answer', () => bodies().length === 1);
    expect(handedOver).toEqual(['/ingest/events']);
  });

  it('processes one event at a time, and hands over the bytes behind it after its answer', async () => {
    const { handedOver, underWay, answer, open, untilUnderWay } = await start();
    const { send, bodies } = await open();
    await send(request('1'));
    await untilUnderWay(1);
    await send(request('2'));
    expect(underWay).toHaveLength(1);
    answer();
    await untilUnderWay(1);
    await send(OTHER.slice(0, 10));
    await send(OTHER.slice(10));
    expect(handedOver).toEqual([]);
    answer();
    await waitFor('the answers', () => bodies().length === 3);
    expect(bodies()).toEqual(['1', '2', 'from node']);
    expect(handedOver).toEqual(['/other']);
  });

  it('hands over pipelined events at once, before any of their work begins', async () => {
    const { handedOver, underWay, open } = await start();
    const { send, bodies } = await open();
    await send(request('1') + request('2'));
    await waitFor('the answers', () => bodies().length === 2);
    expect(handedOver).toEqual(['/ingest/events', '/ingest/events']);
    expect(underWay).toEqual([]);
  });

  it('hands over half a head at once', async () => {
    const { handedOver, open } = await start();
    const { send, bodies } = await open();
    for (const byte of OTHER) await send(byte);
    await waitFor('the answer', () => bodies().length === 1);
    expect(handedOver).toEqual(['/other']);
  });

  it('answers a client that has ended its side after the event', async () => {
    const { answer, open, untilUnderWay, underWay } = await start();
    const { client, socket, own, send, bodies } = await open();
    await send(request('1'));
    await untilUnderWay(1);
    socket.end();
    await once(own, 'end');
    expect(underWay[0]?.connection.destroyed).toBe(true);
    answer();
    await waitFor('the end', () => client.ended);
    expect(bodies()).toEqual(['1']);
    expect(client.received).toContain('Connection: close\r\n');
  });

  it('ends a connection whose client ends its side after two seconds without an answer', async () => {
    const { clock, open, untilUnderWay } = await start();
    const { client, socket, send } = await open();
    await send(request('1'));
    await untilUnderWay(1);
    clock.advance(2_000);
    socket.end();
    await waitFor('the end', () => client.ended);
    expect(client.received).toBe('');
  });

  it('refuses half a body whose client ends its side', async () => {
    const { open } = await start();
    const { client, socket, send } = await open();
    await send(request('123').slice(0, -1));
    socket.end();
    await waitFor('the end', () => client.ended);
    expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('closes without an answer after half a body of a client that offered HTTP/2, as node:http does', async () => {
    const { open } = await start();
    const { client, socket, send } = await open();
    const offer = 'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n';
    await send(request('123').slice(0, -1).replace('Host: a\r\n', offer));
    socket.end();
    await waitFor('the end', () => client.ended);
    expect(client.received).toBe('');
  });

  it.each([
    ['a connection that sends nothing, after 15 s', '', 15_000, /^HTTP\/1\.1 408 /],
    ['a body that does not arrive, after 55 s', request('123').slice(0, -1), 55_000, /^HTTP\/1\.1 408 /],
  ])('answers 408 to %s', async (_what, sent, limitMs, answered) => {
    const { clock, connections, open } = await start();
    const { client, own, send } = await open();
    if (sent !== '') await send(sent);
    // The owner of the key was looked up before the body arrived.
    await waitFor('the rest to be read', () => !own.isPaused());
    clock.advance(limitMs - 1);
    connections.check();
    expect(own.writable).toBe(true);
    clock.advance(1);
    connections.check();
    await waitFor('the end', () => client.ended);
    expect(client.received).toMatch(answered);
  });

  it('limits the time of a body from its head on, however slowly it arrives', async () => {
    const { clock, connections, open } = await start();
    const { client, own, send } = await open();
    await send(request('123456').slice(0, -6));
    await waitFor('the rest to be read', () => !own.isPaused());
    for (const byte of '12345') {
      clock.advance(11_000);
      await send(byte);
    }
    connections.check();
    await waitFor('the end', () => client.ended);
    expect(client.received).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('closes a connection 72 s after the last answer', async () => {
    const { clock, connections, answer, open, untilUnderWay } = await start();
    const { own, send, bodies } = await open();
    await send(request('1'));
    await untilUnderWay(1);
    clock.advance(600_000);
    connections.check();
    answer();
    await waitFor('the answer', () => bodies().length === 1);
    clock.advance(71_999);
    connections.check();
    expect(own.destroyed).toBe(false);
    clock.advance(1);
    connections.check();
    expect(own.destroyed).toBe(true);
  });

  it('answers pending requests and closes idle connections when the server closes', async () => {
    const { server, answer, open, untilUnderWay } = await start();
    const [busy, idle, silent] = [await open(), await open(), await open()];
    for (const { send } of [idle, busy]) {
      await send(request('1'));
      await untilUnderWay(1);
      if (send === idle.send) answer();
    }
    await waitFor('the answer', () => idle.bodies().length === 1);
    const closed = once(server, 'close');
    server.close();
    await waitFor('idle ones to end', () => idle.client.ended && silent.client.ended);
    expect(busy.own.destroyed).toBe(false);
    answer();
    await closed;
    await waitFor('the answer', () => busy.client.ended);
    expect(busy.bodies()).toEqual(['1']);
    expect(busy.client.received).toContain('Connection: close\r\n');
  });

  it('leaves a request that begins after the server stopped listening to node:http', async () => {
    const { server, handedOver, answer, open, untilUnderWay } = await start();
    const { send, bodies } = await open();
    await send(request('1'));
    await untilUnderWay(1);
    await send(request('2'));
    server.close();
    answer();
    await waitFor('the answers', () => bodies().length === 2);
    expect(handedOver).toEqual(['/ingest/events']);
  });

  it('reads no further while the client does not read its answers', async () => {
    const { server, underWay, answer, open, untilUnderWay } = await start();
    const { socket, own } = await open();
    socket.pause();
    own.cork();
    const large = request('x'.repeat(20_000));
    socket.write(large);
    await untilUnderWay(1);
    answer();
    socket.write(large.repeat(100));
    await waitFor('the reading to stop', () => own.isPaused());
    expect(underWay).toEqual([]);
    own.uncork();
    socket.resume();
    await waitFor('it to go on', () => underWay.length > 0 || 'parser' in own);
    server.closeAllConnections();
    expect(own.destroyed).toBe(true);
  });
});
