import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder of segment files below the spool's directory. Each process has one of its own, and shows every few seconds
 * that it lives by the time of `OWNER_FILE`. A folder whose owner shows nothing is adopted: renamed first, then read.
 * Its owner compares, after each `fsync` and before its answer, the file at the path with the one that it wrote: so one
 * that was adopted by mistake (a process that was stopped for a minute, a clock that leaped) answers for nothing that
 * the adopter may not have read.
 */
const OWNER_FILE = 'owner';
const SEGMENT = /^\d{8}\.spool$/;
/** Time without a sign of the owner after which a folder is adopted. */
const OWNER_TIMEOUT_MS = 60_000;

export async function createFolder(directory: string, nowMs: number): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const folder = join(directory, randomUUID());
  await mkdir(folder, { mode: 0o700 });
  await showOwner(folder, nowMs);
  await syncDirectory(directory);
  return folder;
}

/** Shows that the owner of a folder lives. */
export async function showOwner(folder: string, nowMs: number): Promise<void> {
  const path = join(folder, OWNER_FILE);
  await (await open(path, 'a', 0o600)).close();
  await utimes(path, nowMs / 1_000, nowMs / 1_000);
}

/** Gives a folder up: a process that looks for folders without an owner adopts it at once, unless it was empty. */
export async function giveUpFolder(folder: string): Promise<void> {
  await rm(join(folder, OWNER_FILE), { force: true });
  await removeIfEmpty(folder);
}

/**
 * Takes over the folders of processes that ended.
 * @param owned folders of this process
 * @returns the folders that it owns now beside them
 */
export async function adoptFolders(
  directory: string,
  owned: ReadonlySet<string>,
  nowMs: number,
): Promise<string[]> {
  const adopted: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true }).catch(
    (error: unknown) => (isMissing(error), []),
  );
  for (const entry of entries) {
    const folder = join(directory, entry.name);
    if (!entry.isDirectory() || owned.has(folder) || (await hasOwner(folder, nowMs))) continue;
    const own = join(directory, randomUUID());
    // One of two processes finds it gone.
    if (!(await rename(folder, own).then(() => true, isMissing))) continue;
    await showOwner(own, nowMs);
    await syncDirectory(directory);
    adopted.push(own);
  }
  return adopted;
}

/** Names of a folder's segments, oldest first; none if the folder is gone. */
export async function listSegments(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => (isMissing(error), []));
  return names.filter((name) => SEGMENT.test(name)).toSorted();
}

export function segmentName(number: number): string {
  return `${String(number).padStart(8, '0')}.spool`;
}

/** Removes a folder that has no segment; one that has some, or has gone, stays as it is. */
export async function removeIfEmpty(folder: string): Promise<boolean> {
  if ((await listSegments(folder)).length > 0) return false;
  await rm(join(folder, OWNER_FILE), { force: true });
  await rmdir(folder).catch(isMissing);
  return true;
}

/** Makes the entries of a directory durable: a file that was synced is lost with its entry otherwise. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function hasOwner(folder: string, nowMs: number): Promise<boolean> {
  const owner = await stat(join(folder, OWNER_FILE)).catch((error: unknown) => (isMissing(error), null));
  return owner !== null && Math.abs(nowMs - owner.mtimeMs) < OWNER_TIMEOUT_MS;
}

/** @returns false for a file that does not exist; throws every other error */
export function isMissing(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
  throw error;
}
