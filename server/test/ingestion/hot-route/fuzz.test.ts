import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Random } from '@tocsin/simulation/random';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { rounds } from '../../support/test-length.ts';
import { scaled } from '../../support/time-scale.ts';
import { normalised, portOf, startBothWays } from '../../support/two-ways.ts';
import { waitFor } from '../../support/wait.ts';
import { drawStream } from './mutations.ts';

/** 100,000 take some minutes: `HOT_ROUTE_FUZZ=100000 npx vitest run server/test/ingestion/hot-route/fuzz.test.ts`. */
const STREAMS = Number(process.env.HOT_ROUTE_FUZZ ?? rounds(400, 2_000));
const SEED = Number(process.env.HOT_ROUTE_SEED ?? 1);
const AT_ONCE = 96;

describe('a stream of valid and broken requests', async () => {
  // Without a worker, all accepted events stay in the queue.
  const service = await startTestService({ roles: ['management'] });
  const { context } = service;
  const user = await service.signUp();
  const { hot, framework, stop } = await startBothWays(context);
  afterAll(stop);
  // The same bytes go both ways.
  const { apiKey } = await user.createProject();
  const { isWaiting, isReadFurther } = watchRequests(framework);
  const ways = { hot: accepting(hot), framework: accepting(framework) };

  /** Counts each message in the queue. */
  const countStored = async () => {
    const { rows } = await context.pool.query<{ events: string }>('SELECT events FROM queue');
    const counts = new Map<string, number>();
    for (const { message } of rows.flatMap(({ events }) => JSON.parse(events) as { message: string }[]))
      counts.set(message, (counts.get(message) ?? 0) + 1);
    return counts;
  };

  it(`is answered and stored by the hot route as by the framework, connection by connection: ${STREAMS} from seed ${SEED}`, {
    timeout: scaled(60_000 + STREAMS * 30),
  }, async () => {
    let next = 0;
    let requests = 0;
    let stayedHot = 0;
    // The second way repeats the request of the first, by its key: it is stored once.
    const claiming = new Set<number>();
    const lane = async () => {
      while (next < STREAMS) {
        const number = next++;
        let message = 0;
        const nextMessage = () => `${number}/${message++}`;
        const stream = drawStream(new Random(SEED * 1e6 + number), apiKey, nextMessage);
        requests += stream.requests;
        if (/idempotency-key/i.test(Buffer.concat(stream.pieces).toString('latin1'))) claiming.add(number);
        const stayed = await compare(number, stream.pieces);
        stayedHot += stayed;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    console.info(
      `${requests} requests over ${STREAMS} connections; ${stayedHot} connections stayed on the hot route`,
    );
    expect(stayedHot).toBeGreaterThan(STREAMS / 10);
    // Answers are the same, so each event that one way accepted was accepted by the other, too.
    const counts = [...(await countStored())].filter(
      ([message]) => !claiming.has(Number.parseInt(message, 10)),
    );
    expect(counts.length).toBeGreaterThan(STREAMS / 4);
    expect(counts.filter(([, count]) => count % 2 === 1)).toEqual([]);
  });

  /** Sends each piece after all before it were answered, so that no answer depends on the time. @returns 1 if it stayed on the hot route */
  async function compare(number: number, pieces: readonly Buffer[]): Promise<number> {
    const [hotClient, usualClient] = [await open(ways.hot), await open(ways.framework)];
    for (const piece of pieces) {
      usualClient.send(piece);
      // Twice in a row: between an answer and the next request it only seems at rest.
      let looksAtRest = 0;
      await waitFor(`the framework at rest (${number})`, () => {
        looksAtRest = isAtRest(usualClient) ? looksAtRest + 1 : 0;
        return looksAtRest === 2;
      });
      hotClient.send(piece);
      await sameState(number, hotClient, usualClient, isReadFurther(usualClient.accepted));
    }
    const stayedHot = 'parser' in hotClient.accepted ? 0 : 1;
    // A connection that is read no further does not notice its end either.
    const isRead = isReadFurther(usualClient.accepted);
    for (const { socket } of [usualClient, hotClient])
      if (isRead) socket.end();
      else socket.destroy();
    await waitFor(`the ends of both connections (${number})`, () => usualClient.closed && hotClient.closed);
    const [fast, expected] = [normalised(hotClient.received), normalised(usualClient.received)];
    if (!isRefusedAlike(fast, expected)) expect([number, fast]).toEqual([number, expected]);
    return stayedHot;
  }

  const isAtRest = ({ accepted, closed, sent, received }: Client) =>
    closed ||
    ((accepted.bytesRead === sent || !isReadFurther(accepted)) &&
      !isWaiting(accepted) &&
      received.length === accepted.bytesWritten);
});

interface Client {
  socket: Socket;
  /** Server's end of the connection. */
  accepted: Socket;
  sent: number;
  received: string;
  closed: boolean;
  send: (bytes: Buffer) => void;
}

async function sameState(number: number, hot: Client, usual: Client, isRead: boolean): Promise<void> {
  const state = ({ received, closed }: Client) => ({ number, received: normalised(received), closed });
  const isSame = () => {
    if (hot.closed !== usual.closed) return false;
    const [fast, expected] = [normalised(hot.received), normalised(usual.received)];
    if (fast === expected) return hot.closed || !isRead || hot.accepted.bytesRead === hot.sent;
    return hot.closed && isRefusedAlike(fast, expected);
  };
  await waitFor('the same answers', isSame).catch(() => expect(state(hot)).toEqual(state(usual)));
}

/**
 * A request that is refused without a query may or may not be answered before broken bytes behind it in the same piece are: when
 * `node:http` reads a socket itself, it lets promises run between the two, and when bytes are given to it, it does not. So where
 * both ways close a connection they may differ in refusals, behind answers that are the same.
 */
function isRefusedAlike(fast: string, expected: string): boolean {
  const [given, wanted] = [answersOf(fast), answersOf(expected)];
  const equal = given.findIndex((answer, index) => answer !== wanted[index]);
  const common = equal === -1 ? given.length : equal;
  const beyond = [given.slice(common), wanted.slice(common)];
  return (
    common + 1 >= Math.min(given.length, wanted.length) &&
    [...beyond.flat(), given.at(-1), wanted.at(-1)].every((answer) =>
      /^HTTP\/1\.1 (?:100|[45]\d\d) /.test(answer ?? ''),
    )
  );
}

function answersOf(received: string): string[] {
  return received.split(/(?=HTTP\/1\.1 \d{3} )/).filter((answer) => answer !== '');
}

/** Returns a function that opens a connection and returns both ends. */
function accepting(server: Server) {
  const byPort = new Map<number, Socket>();
  server.on('connection', (socket) => byPort.set(socket.remotePort ?? 0, socket));
  return { port: portOf(server), byPort };
}

async function open({ port, byPort }: ReturnType<typeof accepting>): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const local = socket.localPort ?? 0;
  const accepted = await waitFor('the connection to be accepted', () => byPort.get(local));
  byPort.delete(local);
  const client: Client = {
    socket,
    accepted,
    sent: 0,
    received: '',
    closed: false,
    send: (bytes) => {
      if (!client.closed) socket.write(bytes);
      client.sent += bytes.length;
    },
  };
  socket.setEncoding('latin1').on('data', (chunk) => (client.received += String(chunk)));
  socket.on('close', () => (client.closed = true));
  return client;
}

/**
 * Tracks whether a connection has requests that will be answered without more bytes (all but those whose body is being read), and
 * whether it is read further: not where a request was refused while its body is with the decompressor.
 */
function watchRequests(server: Server) {
  const unanswered = new WeakMap<Socket, Set<IncomingMessage>>();
  const refusedEarly = new WeakSet<Socket>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The framework's decompressor takes it from the request.
    const { socket } = request;
    const requests = unanswered.get(socket) ?? new Set();
    unanswered.set(socket, requests.add(request));
    response.once('close', () => {
      requests.delete(request);
      if (!request.complete) refusedEarly.add(socket);
    });
  });
  return {
    isWaiting: (socket: Socket) =>
      [...(unanswered.get(socket) ?? [])].some(
        (request) => request.complete || request.listenerCount('data') === 0,
      ),
    isReadFurther: (socket: Socket) => !refusedEarly.has(socket),
  };
}
