import { createHash, randomUUID } from 'node:crypto';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, systemCode } from './errors.ts';
import { readIfThere, writeNewFile } from './files.ts';
import { processStart } from './process-table.ts';

export interface Lock {
  release(): Promise<void>;
}

/**
 * Makes this process the only one that holds `path`, until it releases it or ends.
 *
 * A dead holder is succeeded without a moment in which two could believe to hold the lock: the right to
 * succeed one certain holder is a file of its own, made by `link`, which only one newcomer can do. That right
 * counts as long as the lock still names the dead holder; the successor then writes itself into the lock and
 * only then removes the right. If it dies in between, it is succeeded in the same way.
 * @throws EmbeddedPostgresError `already_running`
 */
export async function acquireLock(path: string): Promise<Lock> {
  const own = JSON.stringify({
    pid: process.pid,
    start: await processStart(process.pid),
    token: randomUUID(),
  });
  const draft = `${path}.${randomUUID()}.draft`;
  await writeNewFile(draft, own);
  try {
    while (!(await tryAcquire(path, draft, own)));
    await removeRights(path);
  } finally {
    await rm(draft, { force: true });
  }
  return { release: () => release(path, own) };
}

/** One attempt; false when the lock changed under way. */
async function tryAcquire(path: string, draft: string, own: string): Promise<boolean> {
  if (await linkNew(draft, path)) return true;
  const first = await readIfThere(path);
  for (let holder = first; holder !== null; ) {
    await assertDead(holder, path);
    const right = rightToSucceed(path, holder);
    if (await linkNew(draft, right)) {
      if ((await readIfThere(path)) === first) {
        await rename(draft, path);
        return true;
      }
      // Somebody else has succeeded before and is done: the right was void when it was made.
      if ((await readIfThere(right)) === own) await rm(right, { force: true });
      return false;
    }
    holder = await readIfThere(right);
  }
  return false;
}

async function assertDead(holder: string, path: string): Promise<void> {
  const { pid, start } = parse(holder);
  const present = await processStart(pid);
  if (present === null || (present !== start && present !== 'hidden')) return;
  throw new EmbeddedPostgresError(
    'already_running',
    `Tocsin already runs on the data directory ${dirname(path)}: process ${pid}. Stop it first, or choose another directory.`,
  );
}

/** A torn lock, as a full disk may leave it, has no living holder. */
function parse(holder: string): { pid: number; start: string } {
  try {
    const { pid, start } = JSON.parse(holder) as { pid: number; start: string };
    return { pid, start };
  } catch {
    return { pid: 0, start: '' };
  }
}

/** The name of the file whose maker may succeed this one holder. */
export function rightToSucceed(path: string, holder: string): string {
  return `${path}.${createHash('sha256').update(holder).digest('hex').slice(0, 32)}.successor`;
}

/** For the holder alone: whatever right still lies about belongs to a succession that is over. */
async function removeRights(path: string): Promise<void> {
  const directory = dirname(path);
  const names = await readdir(directory);
  const rights = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.successor'));
  for (const right of rights) await rm(join(directory, right), { force: true });
}

async function release(path: string, own: string): Promise<void> {
  if ((await readIfThere(path)) === own) await rm(path, { force: true });
}

async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}
