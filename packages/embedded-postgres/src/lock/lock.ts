import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { linkNew, readIfThere } from '../data-directory/files.ts';
import { processStart } from '../process/process-table.ts';
import { HeldLock } from './held-lock.ts';
import { assertDead, type FormerHolder, type WatchOptions } from './holder.ts';
import { type BeatingFile, createBeatingFile, identityOf } from './lock-file.ts';
import { listenAt } from './lock-socket.ts';
import { findPlace, type Place } from './place.ts';

const RENEW_EVERY_MS = 2_000;
/** Seven renewals. */
const SILENCE_MS = 15_000;
const LEFTOVERS_LIMIT_MS = 10_000;

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Takes what a person should know, in sentences. */
  warn?: (message: string) => void;
  /** Text that changes while somebody writes to the data. */
  lastWrite?: () => Promise<string>;
  /** Where this process runs. */
  place?: Place;
  renewEveryMs?: number;
  /** How long a holder that runs elsewhere must be silent until it counts as dead. */
  silenceMs?: number;
  leftoversLimitMs?: number;
  listenAt?: typeof listenAt;
}

/**
 * Makes this process the only one that holds `path`, until it releases it or ends.
 *
 * Whether a holder lives is decided by its pid where it runs in the same pid namespace of the same machine. Of
 * one elsewhere (another container, another machine on a shared directory) the pid says nothing: it lives
 * while something listens on the socket beside the lock, or its file is renewed.
 *
 * A dead holder is succeeded without a moment in which two could believe to hold the lock: the right to
 * succeed one certain holder is a file of its own, made by `link`, which only one newcomer can do. That right
 * counts as long as the lock still names the dead holder; the successor then writes itself into the lock and
 * only then removes the right. If it dies in between, it is succeeded in the same way.
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
    let former: FormerHolder | null = null;
    while (former === null) former = await tryAcquire(path, draft, own, watch);
    held.acquired(former);
    await removeRights(path);
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

/** For a holder whose lock was removed. */
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

/** One attempt; null when the lock changed under way. */
async function tryAcquire(
  path: string,
  draft: string,
  own: BeatingFile,
  watch: WatchOptions,
): Promise<FormerHolder | null> {
  if (await linkNew(draft, path)) return 'unknown';
  const first = await readIfThere(path);
  let former: FormerHolder = 'dead here';
  for (let [name, holder] = [path, first]; holder !== null; ) {
    const fate = await assertDead(name, holder, path, watch);
    if (fate === null) return null;
    if (fate !== 'dead here') former = fate;
    const right = rightToSucceed(path, holder);
    if (await linkNew(draft, right)) {
      if (await names(path, identityOf(first ?? ''))) {
        await rename(draft, path);
        return former;
      }
      // Somebody else has succeeded before and is done: the right was void when it was made.
      if (await names(right, own.identity)) await rm(right, { force: true });
      return null;
    }
    [name, holder] = [right, await readIfThere(right)];
  }
  return null;
}

async function names(path: string, identity: string): Promise<boolean> {
  const content = await readIfThere(path);
  return content !== null && identityOf(content) === identity;
}

/** The name of the file whose maker may succeed this one holder. */
export function rightToSucceed(path: string, holder: string): string {
  const hash = createHash('sha256').update(identityOf(holder)).digest('hex');
  return `${path}.${hash.slice(0, 32)}.successor`;
}

/** For the holder alone: whatever right still lies about belongs to a succession that is over. */
async function removeRights(path: string): Promise<void> {
  const directory = dirname(path);
  const names = await readdir(directory);
  const rights = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.successor'));
  for (const right of rights) await rm(join(directory, right), { force: true });
}
