import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { hold, makeTemporaryDirectory } from './held.ts';
import { measuredNode } from './measured-node.ts';
import { ROOT } from './root.ts';
import { startFlags } from './start-flags.ts';

/** A port that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

interface Program {
  child: ChildProcess;
  match: RegExpMatchArray;
  stop: () => Promise<void>;
}

/**
 * Starts a Node program and waits for a line on its standard output.
 * @param node runtime and flags
 */
export async function startProgram(
  parameters: string[],
  ready: RegExp,
  environment: NodeJS.ProcessEnv = {},
  node = process.execPath,
): Promise<Program> {
  const child = spawn(node, parameters, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = await holdChild(child);
  let output = '';
  const match = await new Promise<RegExpMatchArray>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${parameters[0]} ended with ${code}: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = output.match(ready);
      if (found) resolve(found);
    });
  });
  return { child, match, stop };
}

/** @returns ends the process and waits for its end, which also happens where the benchmark throws or is ended */
export async function holdChild(child: ChildProcess): Promise<() => Promise<void>> {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const exited = once(child, 'exit');
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return hold(async () => {
    end();
    if (isRunning()) await exited;
  });
}

/**
 * Starts the whole service over a data directory that is thrown away with it.
 * @param kept a data directory that stays instead
 * @param root checkout whose service starts, if it is another one
 * @param environment further variables
 * @param roles roles of its process, management and ingestion among them; none: all
 */
export async function startService({
  kept,
  root = ROOT,
  environment = {},
  roles = [],
}: {
  kept?: string;
  root?: string;
  environment?: NodeJS.ProcessEnv;
  roles?: string[];
} = {}) {
  const [port, ingestPort] = [await findFreePort(), await findFreePort()];
  const { directory: dataDirectory, remove } =
    kept === undefined ? await makeTemporaryDirectory() : { directory: kept, remove: async () => {} };
  const service = await startProgram(
    [...startFlags(root), path.join(root, 'server/bin/tocsin.js'), 'start', ...roles],
    /See it:/,
    {
      PORT: String(port),
      INGEST_PORT: String(ingestPort),
      DATA_DIR: dataDirectory,
      DATABASE_URL: process.env.DATABASE_URL ?? '',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    measuredNode(),
  );
  return {
    child: service.child,
    dataDirectory,
    managementUrl: `http://127.0.0.1:${port}`,
    ingestionUrl: `http://127.0.0.1:${ingestPort}`,
    stop: async () => {
      await service.stop();
      await remove();
    },
  };
}

/** Fields of the ledger that benchmarks read. */
interface Ledger {
  accepted: number;
  stored: number;
  queued: number;
}

export interface BenchProject {
  id: string;
  /** Number in the project's DSN. */
  number: number;
  apiKey: string;
  cookie: string;
  ledger: () => Promise<Ledger>;
}

/** Signs up and creates a project. */
export async function createProject(managementUrl: string): Promise<BenchProject> {
  const signUp = await fetch(`${managementUrl}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      email: `bench-${Date.now()}@example.com`,
      password: 'a long password',
    }),
  });
  const cookie = signUp.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const { id, number, apiKey } = await createProjectIn(managementUrl, cookie, 'Bench');
  const ledger = async () => {
    const answer = await fetch(`${managementUrl}/projects/${id}/ledger`, { headers: { cookie } });
    return (await answer.json()) as Ledger;
  };
  return { id, number, apiKey, cookie, ledger };
}

/** Creates a further project in the organization of a session. */
export async function createProjectIn(
  managementUrl: string,
  cookie: string,
  name: string,
): Promise<{ id: string; number: number; apiKey: string }> {
  const created = await fetch(`${managementUrl}/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ name }),
  });
  // The service of the same commit answers in its documented form.
  return (await created.json()) as { id: string; number: number; apiKey: string };
}
