import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { atEnd } from './at-end.ts';

/** Messages of PostgreSQL's protocol, version 3: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = 0x5a;
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
const READY_FOR_QUERY = Buffer.from([READY, 0, 0, 0, 5, 0x49]);

/**
 * Starts a minimal pooler in transaction mode, for simple queries: all clients share one server connection,
 * one query after another.
 * @returns the port on the loopback address
 */
export async function startTransactionPooler(connectionString: string): Promise<number> {
  const client = new pg.Client(connectionString);
  await client.connect();
  // The bytes below end the connection past the driver, which would report that.
  client.on('error', () => {});
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  // From here on the driver no longer reads the connection: its bytes are passed on unchanged.
  stream.removeAllListeners('data');

  let turn: Promise<unknown> = Promise.resolve();
  const answer = (query: Buffer, to: Socket): Promise<void> =>
    new Promise((resolve) => {
      const onData = (chunk: Buffer) => {
        to.write(chunk);
        if (chunk.at(-6) !== READY) return;
        stream.off('data', onData);
        resolve();
      };
      stream.on('data', onData);
      stream.write(query);
    });

  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY]));
      socket.on('data', (message: Buffer) => {
        if (message.equals(TERMINATE)) socket.end();
        else turn = turn.then(() => answer(message, socket));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    const closed = [once(server, 'close'), once(stream, 'close')];
    stream.end(TERMINATE);
    await Promise.all(closed);
  });
  return (server.address() as AddressInfo).port;
}
