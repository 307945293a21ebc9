import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { settledBefore } from '../platform/wait.ts';
import type { Identity } from '../root/run-as.ts';
import { LastLines, readLines } from './log-lines.ts';
import { runOnCluster } from './run-binary.ts';
import { settingArguments } from './settings.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A PostgreSQL server that we have started. */
export interface Postmaster {
  pid: number;
  /** Resolves when it has ended, however it did. */
  exited: Promise<Exit>;
  /** Undefined while it runs. */
  exit(): Exit | undefined;
  lastLines(): string;
  /** Stops it by a fast shutdown, with growing force; resolves when it has ended. */
  stop(): Promise<void>;
  /** Ends it without a checkpoint, at once. */
  abort(): void;
}

export interface LaunchOptions {
  postgres: string;
  identity: Identity;
  cluster: string;
  socketDirectory: string;
  settings: Record<string, string>;
  /** Descriptor that shows others, for as long as a process has it, that the cluster is in use. */
  lockSocket: number | null;
  log: (line: string) => void;
}

/** Clients are disconnected at once in all of them; after the last two the next start recovers from the log. */
const STOP_STEPS = [
  { signal: 'SIGINT', patienceMs: 8_000 },
  { signal: 'SIGQUIT', patienceMs: 4_000 },
  { signal: 'SIGKILL', patienceMs: Number.POSITIVE_INFINITY },
] as const;

const ABORT_PATIENCE_MS = 1_000;

/** Starts the server, which is not ready yet when this resolves. */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster> {
  const { postgres, identity, cluster, socketDirectory, settings, lockSocket, log } = options;
  const child = await runOnCluster({
    program: postgres,
    identity,
    cluster,
    args: (name) => ['-D', name, ...settingArguments(cluster, socketDirectory, settings)],
    // A session of its own: Ctrl-C in a terminal reaches us alone, and we finish our work before we stop it.
    detached: true,
    inherits: lockSocket === null ? [] : [lockSocket],
  });
  const output = new LastLines();
  const onLine = (line: string) => {
    output.add(line);
    log(line);
  };
  readLines(child.stdout, onLine);
  readLines(child.stderr, onLine);

  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  const closed = once(child, 'close');
  return {
    pid: child.pid ?? 0,
    exited,
    exit: () => exit,
    lastLines: () => output.toString(),
    stop: () => stopChild(child, exited, closed),
    abort: () => {
      child.kill('SIGQUIT');
      void settledBefore(ABORT_PATIENCE_MS, exited).then((ended) => ended || child.kill('SIGKILL'));
    },
  };
}

async function stopChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  closed: Promise<unknown>,
): Promise<void> {
  for (const { signal, patienceMs } of STOP_STEPS) {
    child.kill(signal);
    if (patienceMs === Number.POSITIVE_INFINITY) await exited;
    else if (await settledBefore(patienceMs, exited)) break;
  }
  // Its child processes may hold the pipes for a moment longer than it lives.
  if (!(await settledBefore(2_000, closed))) {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}
