import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { InheritedDescriptor } from '../../http/sockets/listening-sockets.ts';
import { describeInherited, FIRST_INHERITED } from './inherited-descriptors.ts';

/** Name of the descriptor by which a process tells the first one of its line what it does. */
export const KEEPER = 'tocsin-keeper';
const READY = 'ready';

/** Maximum time until a process serves: its migrations take as long as their data needs. */
export const START_LIMIT_MS = 30 * 60_000;
/** Time that a process which is not needed has for its end. */
const END_LIMIT_MS = 10_000;

export interface SuccessorOptions {
  /** Program and its arguments. */
  command: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Listening sockets that it takes over. */
  sockets: readonly InheritedDescriptor[];
  /** Descriptor of the pipe to the first process of the line; null: a new one leads to this process. */
  keeper: number | null;
}

/** A process that is to serve in place of this one. */
export interface Successor {
  pid: number;
  /** Resolves to null once it serves, else to the reason why it does not. */
  started: Promise<string | null>;
  /** This process's end of a new pipe; null without one. */
  pipe: Socket | null;
  ended: Promise<unknown>;
  /** Ends it, by force if it takes long. */
  stop: () => Promise<void>;
}

export function startSuccessor({ command, environment, sockets, keeper }: SuccessorOptions): Successor {
  const names = [...sockets.map(({ name }) => name), KEEPER];
  const index = FIRST_INHERITED + sockets.length;
  // Only the process itself knows the id that the convention asks for.
  const child = spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...command], {
    env: { ...environment, ...describeInherited(names) },
    stdio: ['inherit', 'inherit', 'inherit', ...sockets.map(({ fd }) => fd), keeper ?? 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit').catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    started: waitUntilReady(child, ended),
    // A pipe of Node is a socket, and this one is no standard stream.
    pipe: keeper === null ? ((child.stdio[index] ?? null) as Socket | null) : null,
    ended,
    stop: () => stop(child, ended),
  };
}

/** Tells the process that has started this one that it serves. */
export function tellReady(): void {
  if (!process.send) return;
  process.send(READY, undefined, undefined, () => process.disconnect());
}

async function waitUntilReady(child: ChildProcess, ended: Promise<unknown>): Promise<string | null> {
  const limit = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message').then(() => null),
      ended.then(() => 'it ended: the lines before say why'),
      delay(START_LIMIT_MS, 'it takes too long', { signal: limit.signal }),
    ]);
  } finally {
    limit.abort();
  }
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
  await ended;
  clearTimeout(force);
}
