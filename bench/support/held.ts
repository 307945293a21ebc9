import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/*
 * Everything that a benchmark has started or made, and has to undo however it ends: by itself, by an error, by Ctrl-C.
 */
type Release = () => Promise<void>;

const held: Release[] = [];
let isEnding = false;

/**
 * @param undo runs once: when the returned function is called, at `releaseAll`, or at a signal that ends the program
 * @throws where the program is ending, after `undo`: a part that goes on meanwhile is to start nothing
 */
export async function hold(undo: Release): Promise<Release> {
  if (isEnding) {
    await undo();
    throw new Error('The benchmark is ending.');
  }
  listenForSignals();
  const release = async () => {
    const place = held.indexOf(release);
    if (place < 0) return;
    held.splice(place, 1);
    await undo();
  };
  held.push(release);
  return release;
}

/** The newest first: what stands on another thing goes before it. An undo that fails does not keep the others. */
export async function releaseAll(): Promise<void> {
  for (let release = held.at(-1); release; release = held.at(-1))
    await release().catch((error: unknown) => console.error('not undone:', error));
}

/** A directory under the system's temporary one, which `remove` or the end of the program removes. */
export async function makeTemporaryDirectory(): Promise<{ directory: string; remove: Release }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-bench-'));
  const remove = await hold(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  return { directory, remove };
}

function listenForSignals(): void {
  if (process.listenerCount('SIGINT', endBySignal) > 0) return;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endBySignal);
}

/** Ctrl-C reaches the children as well, so they are ending already. */
function endBySignal(): void {
  if (isEnding) return;
  isEnding = true;
  void releaseAll().finally(() => process.exit(130));
}
