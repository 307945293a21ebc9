import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { assertNothingLeft } from './leaks.ts';
import { assertNothingOpen, startTestService } from './service.ts';

/** A short wait: what is looked for is there. */
const LIMIT_MS = 50;

it('finds a server and a socket that a file leaves open, and nothing once they are closed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await expect(assertNothingLeft(LIMIT_MS)).rejects.toThrow(`leaves behind a server on 127.0.0.1:${port}`);
  const socket = connect(port, '127.0.0.1');
  const [accepted] = await once(server, 'connection');
  server.close();
  await expect(assertNothingLeft(LIMIT_MS)).rejects.toThrow(`to port ${port}`);
  socket.destroy();
  accepted.destroy();
  await assertNothingLeft();
});

it('finds a listener of the process that a file leaves', async () => {
  const listener = () => {};
  process.on('SIGUSR2', listener);
  onTestFinished(() => void process.off('SIGUSR2', listener));
  await expect(assertNothingLeft(LIMIT_MS)).rejects.toThrow('a listener of the process for SIGUSR2');
});

it('finds a transaction that a file leaves open in the shared database, and a connection', async () => {
  const { database } = await startTestService();
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM users LIMIT 1 FOR UPDATE');
  await expect(assertNothingOpen(LIMIT_MS)).rejects.toThrow('SELECT FROM users');
  await holder.query('ROLLBACK');
  holder.release();
  const client = new pg.Client(database.connectionString);
  await client.connect();
  await client.query('SELECT 42');
  await expect(assertNothingOpen(LIMIT_MS)).rejects.toThrow('SELECT 42');
  await client.end();
  await assertNothingOpen();
});
