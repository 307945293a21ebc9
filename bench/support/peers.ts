import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, ROOT, startProgram } from './processes.ts';

const PEERS = path.join(ROOT, 'bench/peers');

export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;

/** Installs what the peers need, by their own lockfile, without install scripts. */
export function installPeers(): void {
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: PEERS,
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error('The peers could not be installed.');
}

interface Peer {
  url: string;
  /** Removes what the peer has queued, since no worker takes it. */
  clear: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts Fastify with BullMQ on a Redis of its own.
 * @param fsync when Redis forces its append-only file to the disk: `everysec` may lose a second, `always` loses nothing
 */
export async function startBullMq(fsync: 'everysec' | 'always', apiKey: string): Promise<Peer> {
  const [port, directory] = [await findFreePort(), await mkdtemp(path.join(tmpdir(), 'tocsin-redis-'))];
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
  await waitForPort(port, redis);
  const server = await startProgram(
    ['bench/peers/fastify-bullmq.js', String(port), apiKey],
    /listening (\d+)/,
  );
  return {
    url: `http://127.0.0.1:${server.match[1]}/ingest/events`,
    clear: async () => {
      const cleared = spawn('redis-cli', ['-p', String(port), 'flushall'], { stdio: 'ignore' });
      await once(cleared, 'close');
    },
    stop: async () => {
      await server.stop();
      redis.kill('SIGTERM');
      await once(redis, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
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
