import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory that is held open: its names lead into it, even if its owner replaces the path meanwhile. */
export interface DirectoryHandle {
  file: FileHandle;
  /** Path to a name in it, for this process. */
  at(name: string): string;
  names(): Promise<string[]>;
}

/** Opens a directory for `use`. A link in its place is refused. */
export async function withDirectory<T>(
  path: string,
  use: (directory: DirectoryHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const base = process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path;
  try {
    return await use({ file, at: (name) => join(base, name), names: () => readdir(`${base}/`) });
  } finally {
    await file.close();
  }
}

/** Removes a directory with everything in it, and nothing else: not the targets of links in it. */
export async function removeTree(path: string): Promise<void> {
  await withDirectory(path, async (directory) => {
    for (const name of await directory.names()) {
      const inner = directory.at(name);
      if ((await lstat(inner)).isDirectory()) await removeTree(inner);
      else await unlink(inner);
    }
  });
  await rmdir(path);
}
