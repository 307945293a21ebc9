import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { openArchive } from '../../src/events/archive/open-archive.ts';
import { atEnd } from '../support/at-end.ts';
import { waitFor } from '../support/wait.ts';

const FACADE = fileURLToPath(new URL('../../../test/archive/facade.mjs', import.meta.url));

/** Faults that the façade makes on demand: `test/archive/facade.mjs` describes them. */
export interface EngineFaults {
  DIE_EVERY?: number;
  REFUSE?: 0 | 1;
  HANG?: 0 | 1;
}

/** The engine of ClickHouse in a process of its own, spoken to by HTTP. */
export interface ArchiveEngine {
  url: string;
  tell(faults: EngineFaults): Promise<void>;
  /** Sets of how many blocks the tokens are remembered. */
  setTokenWindow(blocks: number): Promise<void>;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Starts it again over the same data and at the same address, once it has ended. */
  restart(faults?: EngineFaults): Promise<void>;
}

/** Starts an engine without data, which ends with the test or file. */
export async function startEngine(): Promise<ArchiveEngine> {
  const parent = await makeScratchDirectory();
  const directory = path.join(parent, 'engine');
  let running = await run('0', directory, {});
  const post = async (path: string, body: string) => {
    const response = await fetch(`${url}/${path}`, { method: 'POST', body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  };
  atEnd(async () => {
    await end(running.child);
    await rm(parent, { recursive: true, force: true, maxRetries: 3 });
  });
  const { url } = running;
  return {
    url,
    tell: (faults) => post('faults', JSON.stringify(faults)),
    setTokenWindow: (blocks) =>
      post('', `ALTER TABLE events MODIFY SETTING non_replicated_deduplication_window = ${blocks}`),
    kill: () => end(running.child),
    async restart(faults = {}) {
      await waitFor('the end of the engine', () => hasEnded(running.child));
      running = await run(new URL(url).port, directory, faults);
    },
  };
}

/** An engine with the schema, and its archive. */
export async function startArchive() {
  const engine = await startEngine();
  const archive = await openArchive(engine.url);
  atEnd(() => archive.close());
  await archive.migrate();
  return { engine, archive };
}

async function run(port: string, directory: string, faults: EngineFaults) {
  const environment = Object.fromEntries(
    Object.entries(faults).map(([name, value]) => [name, String(value)]),
  );
  const child = spawn(process.execPath, [FACADE, port, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  for await (const line of createInterface(child.stdout)) return { child, url: line };
  throw new Error('The engine ended before it answered.');
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
