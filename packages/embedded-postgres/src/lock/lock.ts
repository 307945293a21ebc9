import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { linkNew, readIfThere } from '../data-directory/files.ts';
import { processStart } from '../process/process-table.ts';
import { HeldLock } from './held-lock.ts';
import { assertDead, type PreviousHolder, type WatchOptions } from './holder.ts';
import { type BeatingFile, createBeatingFile, identityOf } from './lock-file.ts';
import { listenAt } from './lock-socket.ts';
import { findPlace, type Place } from './place.ts';

const RENEW_EVERY_MS = 2_000;
/** Seven renewals. */
const SILENCE_MS = 15_000;
const LEFTOVERS_LIMIT_MS = 10_000;

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Receives messages for the user, in sentences. */
  warn?: (message: string) => void;
  /** Text that changes while a process writes to the data. */
  lastWrite?: () => Promise<string>;
  /** Place of this process. */
  place?: Place;
  renewEveryMs?: number;
  /** How long a holder that runs elsewhere must be silent until it counts as dead. */
  silenceMs?: number;
  leftoversLimitMs?: number;
  listenAt?: typeof listenAt;
}

/**
 * Makes this process the only holder of `path`, until it releases the lock or ends.
 *
 * A holder in the same pid namespace of the same machine is alive if its pid is. For a holder elsewhere (another
 * container, another machine on a shared directory) the pid says nothing: it is alive while something listens on the
 * socket beside the lock, or while its file is renewed.
 *
 * A takeover from a dead holder leaves no moment in which two processes could both consider themselves the holder: the
 * right to take over from one certain holder is a file of its own, created by `link`, which succeeds for one process
 * only. The file counts as long as the lock still names the dead holder; its creator then writes itself into the lock
 * and removes the file last. If it dies in between, another process takes over from it in the same way.
 * @throws EmbeddedPostgresError `already_running`
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<HeldLock> {
  const place = options.place ?? (await findPlace());
  const { signal, warn = () => {}, lastWrite = async () => '' } = options;
  const watch = { place, signal, warn, lastWrite, silenceMs: options.silenceMs ?? SILENCE_MS };
  const draft = `${path}.${randomUUID()}.draft`;
  const own = await createOwnFile(draft, place);
  const held = new HeldLock({
    path,
    own,
    renewEveryMs: options.renewEveryMs ?? RENEW_EVERY_MS,
    leftoversLimitMs: options.leftoversLimitMs ?? LEFTOVERS_LIMIT_MS,
    warn,
    listenAt: options.listenAt ?? listenAt,
    recreate: () => recreate(path, place),
  });
  try {
    let previous: PreviousHolder | null = null;
    while (previous === null) previous = await tryAcquire(path, draft, own, watch);
    held.acquired(previous);
    await removeTakeoverFiles(path);
    return held;
  } catch (error) {
    await held.release();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function createOwnFile(path: string, place: Place): Promise<BeatingFile> {
  const start = (await processStart(process.pid)) ?? '';
  const holder = { pid: process.pid, start, place: place.id, host: place.host };
  return createBeatingFile(path, holder, randomUUID());
}

/** Creates the lock again for a holder whose lock was removed. */
async function recreate(path: string, place: Place): Promise<BeatingFile | null> {
  const draft = `${path}.${randomUUID()}.draft`;
  const own = await createOwnFile(draft, place);
  try {
    if (await linkNew(draft, path)) return own;
  } finally {
    await rm(draft, { force: true });
  }
  await own.close();
  return null;
}

/** One attempt; null if the lock changed meanwhile. */
async function tryAcquire(
  path: string,
  draft: string,
  own: BeatingFile,
  watch: WatchOptions,
): Promise<PreviousHolder | null> {
  if (await linkNew(draft, path)) return 'unknown';
  const first = await readIfThere(path);
  let previous: PreviousHolder = 'dead here';
  for (let [name, holder] = [path, first]; holder !== null; ) {
    const fate = await assertDead(name, holder, path, watch);
    if (fate === null) return null;
    if (fate !== 'dead here') previous = fate;
    const takeover = takeoverFile(path, holder);
    if (await linkNew(draft, takeover)) {
      if (await names(path, identityOf(first ?? ''))) {
        await rename(draft, path);
        return previous;
      }
      // Another process took over before and is done: the takeover file was void when it was created.
      if (await names(takeover, own.identity)) await rm(takeover, { force: true });
      return null;
    }
    [name, holder] = [takeover, await readIfThere(takeover)];
  }
  return null;
}

async function names(path: string, identity: string): Promise<boolean> {
  const content = await readIfThere(path);
  return content !== null && identityOf(content) === identity;
}

/** The file that only one process can create, and whose creator may take over from this one holder. */
export function takeoverFile(path: string, holder: string): string {
  const hash = createHash('sha256').update(identityOf(holder)).digest('hex');
  return `${path}.${hash.slice(0, 32)}.successor`;
}

/** Removes takeover files. For the holder alone: any that are left belong to a takeover that is over. */
async function removeTakeoverFiles(path: string): Promise<void> {
  const directory = dirname(path);
  const names = await readdir(directory);
  const files = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.successor'));
  for (const file of files) await rm(join(directory, file), { force: true });
}
