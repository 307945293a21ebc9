import { lchown, lstat } from 'node:fs/promises';
import { type DirectoryHandle, withDirectory } from './directory-handle.ts';
import type { Account } from './run-as.ts';

/**
 * Changes the owner of a cluster of root, or of `from`, recursively. The previous owner may be active in it: each
 * directory changes its owner before its entries are read, and links are changed themselves, never followed.
 * @throws a system error if this owner cannot be set
 */
export async function chownCluster(identity: Account, cluster: string, from: number): Promise<void> {
  await withDirectory(cluster, async (root) => {
    const { uid } = await root.file.stat();
    if (uid === identity.uid || (uid !== 0 && uid !== from)) return;
    await root.file.chown(identity.uid, identity.gid);
    // The top directory is root's until the end: after an interruption the next start begins again.
    await root.file.chown(0, 0);
    await root.file.chmod(0o700);
    await chownContents(root, identity, from);
    await root.file.chown(identity.uid, identity.gid);
  });
}

async function chownContents(directory: DirectoryHandle, to: Account, from: number): Promise<void> {
  for (const name of await directory.names()) {
    const path = directory.at(name);
    const info = await lstat(path);
    // A directory that already has the new owner may stem from an interrupted attempt.
    if (info.isDirectory() && [0, from, to.uid].includes(info.uid)) {
      await withDirectory(path, async (inner) => {
        await inner.file.chown(to.uid, to.gid);
        await chownContents(inner, to, from);
      });
      continue;
    }
    // A file with a second hard link may be root's elsewhere: its owner must not change.
    const isPlanted = info.uid === 0 && info.nlink > 1;
    if (!isPlanted && (info.uid === 0 || info.uid === from)) await lchown(path, to.uid, to.gid);
  }
}

/** Changes the owner of the data directory itself and of its files beside the cluster. */
export async function chownDataDirectory(identity: Account, path: string, from: number): Promise<void> {
  await withDirectory(path, async (directory) => {
    if ((await directory.file.stat()).uid !== from) return;
    await directory.file.chown(identity.uid, identity.gid);
    for (const name of await directory.names()) {
      const info = await lstat(directory.at(name));
      if (info.uid !== from || info.isDirectory()) continue;
      await lchown(directory.at(name), identity.uid, identity.gid);
    }
  });
}
