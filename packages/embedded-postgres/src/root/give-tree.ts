import { lchown, lstat } from 'node:fs/promises';
import { type DirectoryHandle, withDirectory } from './directory-handle.ts';
import type { Account } from './run-as.ts';

/**
 * Gives a cluster of root, or of `from`, to the identity. The owner so far may be at work in it: each
 * directory is taken from it before what is in there is looked at, and links are given, not followed.
 * @throws an error of the system where this owner cannot be set
 */
export async function giveClusterTo(identity: Account, cluster: string, from: number): Promise<void> {
  await withDirectory(cluster, async (root) => {
    const { uid } = await root.file.stat();
    if (uid === identity.uid || (uid !== 0 && uid !== from)) return;
    await root.file.chown(identity.uid, identity.gid);
    // Until the end the root of the tree is root's: if we are ended on the way, the next start begins again.
    await root.file.chown(0, 0);
    await root.file.chmod(0o700);
    await giveContents(root, identity, from);
    await root.file.chown(identity.uid, identity.gid);
  });
}

async function giveContents(directory: DirectoryHandle, to: Account, from: number): Promise<void> {
  for (const name of await directory.names()) {
    const path = directory.at(name);
    const info = await lstat(path);
    // One that is theirs already may be what an attempt that was ended has begun.
    if (info.isDirectory() && [0, from, to.uid].includes(info.uid)) {
      await withDirectory(path, async (inner) => {
        await inner.file.chown(to.uid, to.gid);
        await giveContents(inner, to, from);
      });
      continue;
    }
    // With a second name it may be a file of root elsewhere, whose owner is not ours to change.
    const isPlanted = info.uid === 0 && info.nlink > 1;
    if (!isPlanted && (info.uid === 0 || info.uid === from)) await lchown(path, to.uid, to.gid);
  }
}

/** Gives the data directory itself to the identity, and what lies in it besides the cluster. */
export async function giveDataDirectoryTo(identity: Account, path: string, from: number): Promise<void> {
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
