import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makeTemporaryDirectory } from './held.ts';
import { findFreePort, holdChild, startProgram } from './processes.ts';
import { startFlags } from './start-flags.ts';

export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;

interface Peer {
  url: string;
  /**
   * Removes what the peer has queued, since no worker takes it.
   * @throws where that are fewer jobs than it has accepted
   */
  clear: (accepted: number) => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts Fastify with BullMQ on a Redis of its own.
 * @param fsync when Redis forces its append-only file to the disk: `everysec` may lose a second, `always` loses nothing
 */
export async function startBullMq(fsync: 'everysec' | 'always', apiKey: string): Promise<Peer> {
  const port = await findFreePort();
  const { directory, remove } = await makeTemporaryDirectory();
  const redis = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--appendonly',
      'yes',
      '--appendfsync',
      fsync,
    ],
    { stdio: 'ignore' },
  );
  const stopRedis = await holdChild(redis);
  await waitForPort(port, redis);
  const server = await startProgram(
    [...startFlags(), 'bench/peers/fastify-bullmq.js', String(port), apiKey],
    /listening (\d+)/,
  );
  return {
    url: `http://127.0.0.1:${server.match[1]}/ingest/events`,
    clear: async (accepted) => {
      const queued = Number(await askRedis(port, 'llen', 'bull:events:wait'));
      if (!(queued >= accepted)) throw new Error(`BullMQ holds ${queued} of ${accepted} accepted jobs.`);
      await askRedis(port, 'flushall');
    },
    stop: async () => {
      await server.stop();
      await stopRedis();
      await remove();
    },
  };
}

async function askRedis(port: number, ...command: string[]): Promise<string> {
  const asked = spawn('redis-cli', ['-p', String(port), ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[answer]] = await Promise.all([once(asked.stdout, 'data'), once(asked, 'close')]);
  return String(answer).trim();
}

async function waitForPort(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}.`);
    const socket = new Socket();
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.connect(port, '127.0.0.1');
    });
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
  throw new Error('redis-server does not listen after five seconds.');
}
