import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../platform/errors.ts';
import { isRoot } from '../root/run-as.ts';

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Creates a file that is on the disk when this resolves, readable by its owner alone: us, or, for root, the owner of
 * the directory, who may run the service the next time. Never follows a link. It stays open.
 */
export async function createFile(path: string, content: string): Promise<FileHandle> {
  const file = await open(path, 'wx', 0o600);
  try {
    if (isRoot()) {
      const { uid, gid } = await stat(dirname(path));
      await file.chown(uid, gid);
    }
    await file.writeFile(content);
    await file.sync();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** As `createFile`, and closed. */
async function writeNewFile(path: string, content: string): Promise<void> {
  const file = await createFile(path, content);
  await file.close();
}

/** As `writeNewFile`; a reader sees either the previous content or the new one, even after a power cut. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    await writeNewFile(draft, content);
    await rename(draft, path);
    await syncDirectory(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Adds a second name for a file; false if that name exists already. */
export async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Makes the names in a directory durable: files that were created in it, renamed or removed. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
