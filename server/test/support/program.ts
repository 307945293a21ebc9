import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { descriptorOf } from '../../src/http/sockets/listening-sockets.ts';
import type { RoleName } from '../../src/roles/role-names.ts';
import { atEnd } from './at-end.ts';
import { NODE_FLAGS } from './node-flags.ts';
import { scaled } from './time-scale.ts';
import { waitFor } from './wait.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../bin/tocsin.js', import.meta.url));

export const BUILD_TIMEOUT_MS = scaled(120_000);

/** The program as started by a user, in its own process group. */
export interface RunningProgram {
  managementUrl: string;
  ingestionUrl: string;
  /** Sends a signal to the process group. */
  signal: (signal: NodeJS.Signals) => void;
  /** Exit code, once the process has ended; null if a signal ended it. */
  ended: Promise<number | null>;
}

let built: Promise<unknown> | undefined;

/** Builds the server if its sources are newer than the last build: once for all files of a process. */
export async function buildServer(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: ROOT });
  await built;
}

export interface ProgramOptions {
  /** Destination of standard output: a descriptor, or a pipe to the test. */
  stdout?: number | 'pipe';
  /** Default: all. */
  roles?: RoleName[];
  /** Environment variables on top of the data directory and free ports. */
  environment?: Record<string, string>;
  /** Servers of management and ingestion whose sockets it takes over, as those of systemd; they are closed here. */
  sockets?: [management: Server, ingestion: Server];
}

/** Starts all roles over a data directory and waits until they accept requests. */
export async function startProgram(
  dataDirectory: string,
  { stdout = 'pipe', environment = {}, roles = [], sockets }: ProgramOptions = {},
): Promise<RunningProgram> {
  const [port, ingestPort] = sockets?.map(portOf) ?? [await findFreePort(), await findFreePort()];
  const asItself = 'LISTEN_PID=$$ exec "$0" "$@"';
  const command = [process.execPath, ...NODE_FLAGS, PROGRAM, 'start', ...roles];
  const child = spawn('/bin/sh', ['-c', asItself, ...command], {
    cwd: ROOT,
    detached: true,
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: dataDirectory,
      PORT: String(port),
      INGEST_PORT: String(ingestPort),
      LOG_LEVEL: 'warn',
      ...(sockets && { LISTEN_FDS: String(sockets.length) }),
      ...environment,
    },
    stdio: ['ignore', stdout, 'pipe', ...(sockets ?? []).map(descriptorOf)],
  });
  for (const socket of sockets ?? []) socket.close();
  const output = collectOutput(child);
  const isWithoutPages = roles.length > 0 && !roles.includes('management');
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const program: RunningProgram = {
    managementUrl: `http://127.0.0.1:${port}`,
    ingestionUrl: `http://127.0.0.1:${ingestPort}`,
    signal: (signal) => {
      const running = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && running) process.kill(-child.pid, signal);
    },
    ended,
  };
  await waitFor(
    'the program to be ready',
    async () => {
      if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}: ${output()}`);
      if (stdout === 'pipe' && roles.length === 0) return output().includes('See it:');
      return (
        (
          await fetch(`${isWithoutPages ? program.ingestionUrl : program.managementUrl}/readyz`).catch(
            () => null,
          )
        )?.status === 200
      );
    },
    60_000,
  );
  return program;
}

/** Starts the program until the end of the running test. */
export async function startUntilEnd(
  dataDirectory: string,
  options: ProgramOptions = {},
): Promise<RunningProgram> {
  const program = await startProgram(dataDirectory, options);
  atEnd(async () => {
    program.signal('SIGTERM');
    await program.ended;
  });
  return program;
}

/** Result of a command. */
export interface EndedCommand {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end as a user does. @param environment variables on top of those of this process */
export async function runCommand(
  argv: string[],
  { environment = {}, input = '' }: { environment?: Record<string, string>; input?: string } = {},
): Promise<EndedCommand> {
  const child = spawn(process.execPath, [...NODE_FLAGS, PROGRAM, ...argv], {
    env: { ...process.env, ...environment },
  });
  child.stdin.end(input);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: exitCode as number | null, stdout, stderr };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return () => output;
}

/** Number of ports of each process of the tests. */
const PORTS_OF_PROCESS = 1_000;
/** Below the ports that systems give to those that ask for any, and above the last one that browsers refuse. */
const FIRST_PORT = 11_000 + Number(process.env['VITEST_POOL_ID'] ?? 0) * PORTS_OF_PROCESS;
let next = randomInt(PORTS_OF_PROCESS);

/**
 * Returns a port that is free, and stays so until a program listens on it: the system gives it to no server and no connection of
 * other tests meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (next++ % PORTS_OF_PROCESS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
