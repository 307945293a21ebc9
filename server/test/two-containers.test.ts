import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillDataDirectory } from './support/data-directory.ts';
import { BUILD_TIMEOUT_MS, buildServer } from './support/program.ts';
import { scaled } from './support/time-scale.ts';
import { waitFor } from './support/wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Namespaces of a container that matter to PostgreSQL and to process ids. */
const CONTAINER = ['--pid', '--fork', '--kill-child', '--mount-proc', '--ipc'];
const TEST_TIMEOUT_MS = scaled(180_000);

const canUnshare = spawnSync('unshare', [...CONTAINER, 'true']).status === 0;
const title = canUnshare
  ? 'two containers on one data directory'
  : 'two containers on one data directory (skipped: unshare is missing or not permitted here)';

describe.skipIf(!canUnshare)(title, () => {
  beforeAll(buildServer, BUILD_TIMEOUT_MS);

  it(
    'refuses a second process on the same data directory across pid namespaces',
    async () => {
      const { run, dataDirectory } = await prepare();
      const first = run('exec node server/bin/tocsin.js start');
      await first.says('See it:');
      const connection = await readFile(path.join(dataDirectory, 'connection.json'), 'utf8');

      // Once with the pid of the first process, once with another one.
      const newcomers = [
        run('exec node server/bin/tocsin.js start'),
        run('for i in 1 2 3; do sleep 0 & done; wait; node server/bin/tocsin.js migrate; exit $?'),
      ];
      for (const newcomer of newcomers) {
        expect(await newcomer.ended).toBe(1);
        expect(newcomer.output()).toMatch(/already runs on the data directory.*in another container/);
      }
      expect(await readFile(path.join(dataDirectory, 'connection.json'), 'utf8')).toBe(connection);

      // It still holds its lock: it refuses the next process, and releases the directory when it ends.
      const third = run('exec node server/bin/tocsin.js migrate');
      expect(await third.ended).toBe(1);
      first.terminate();
      expect(await first.ended).toBe(0);
      const next = run('exec node server/bin/tocsin.js migrate');
      expect(await next.ended).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'waits for a PostgreSQL that outlives its service in another container, and never ends it',
    async () => {
      const { run } = await prepare();
      const first = run('node server/bin/tocsin.js start; echo service ended; sleep 600');
      await first.says('See it:');
      first.killService();
      await first.says('service ended');

      const newcomer = run('exec node server/bin/tocsin.js migrate');
      expect(await newcomer.ended).toBe(1);
      expect(newcomer.output()).toContain('in another container');
      // The last process of the container that used the data has ended.
      first.kill();
      await first.ended;
      const next = run('exec node server/bin/tocsin.js migrate');
      expect(await next.ended).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );
});

interface Container {
  output: () => string;
  says: (text: string) => Promise<unknown>;
  ended: Promise<number | null>;
  /** Sends SIGTERM to the first process of the container. */
  terminate: () => void;
  /** Sends SIGKILL to the service only, the child of the first process. */
  killService: () => void;
  /** Sends SIGKILL to all processes of the container. */
  kill: () => void;
}

const containers: Container[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const container of containers) container.kill();
  await Promise.all(containers.map(({ ended }) => ended));
  for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  containers.length = 0;
  directories.length = 0;
});

async function prepare() {
  const directory = await makeScratchDirectory();
  directories.push(directory);
  const dataDirectory = path.join(directory, 'data');
  await fillDataDirectory(dataDirectory);
  // One directory for sockets for each container.
  const temporary = await Promise.all(
    [0, 1, 2, 3, 4].map(async (index) => {
      const own = path.join(directory, `tmp${index}`);
      await mkdir(own);
      return own;
    }),
  );
  const run = (script: string) => {
    const container = start(script, dataDirectory, temporary.pop() ?? directory);
    containers.push(container);
    return container;
  };
  return { run, dataDirectory };
}

function start(script: string, dataDirectory: string, temporary: string): Container {
  const child = spawn('unshare', [...CONTAINER, 'sh', '-c', script], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: dataDirectory,
      TMPDIR: temporary,
      PORT: '0',
      INGEST_PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => output,
    says: (text) =>
      waitFor(
        text,
        () => {
          if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output}`);
          return output.includes(text);
        },
        60_000,
      ),
    ended,
    terminate: () => signalChild(child.pid, 'SIGTERM'),
    killService: () => signalChild(childOf(child.pid), 'SIGKILL'),
    kill: () => void child.kill('SIGKILL'),
  };
}

function signalChild(parent: number | undefined, signal: NodeJS.Signals): void {
  const pid = childOf(parent);
  if (pid !== undefined) process.kill(pid, signal);
}

function childOf(parent: number | undefined): number | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' });
  const [pid] = stdout.trim().split(/\s+/);
  return pid ? Number(pid) : undefined;
}
