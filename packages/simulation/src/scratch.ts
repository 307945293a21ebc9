import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tocsin-test-';
/** Many times the size of all clusters of a run. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const DAY_MS = 86_400_000;

/**
 * Creates a directory for the data of a test. It is in memory if that has room: a PostgreSQL writes a thousand small
 * files for each cluster and each database, which cost ten times as much on a disk.
 */
export async function makeScratchDirectory(): Promise<string> {
  const parent = (await hasRoom(MEMORY)) ? MEMORY : tmpdir();
  return mkdtemp(join(parent, PREFIX));
}

/**
 * Removes what killed runs have left in memory.
 * @param present directory that was just created: its time tells what is a day old, since the clock of this process may be
 *   ahead of those of the runs beside it
 */
export async function removeForgotten(present: string): Promise<void> {
  const beforeMs = (await stat(present)).mtimeMs - DAY_MS;
  for (const name of await readdir(MEMORY).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(MEMORY, name);
    const { mtimeMs, uid } = await stat(directory).catch(() => ({ mtimeMs: Infinity, uid: -1 }));
    if (mtimeMs < beforeMs && uid === process.getuid?.())
      await rm(directory, { recursive: true, force: true });
  }
}

async function hasRoom(directory: string): Promise<boolean> {
  const free = await statfs(directory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MIN_FREE_BYTES;
}
