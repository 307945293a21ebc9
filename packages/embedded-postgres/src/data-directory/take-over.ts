import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from '../platform/errors.ts';
import { waitUntil } from '../platform/wait.ts';
import { chownCluster, chownDataDirectory } from '../root/chown-tree.ts';
import { findNobody, type Identity } from '../root/run-as.ts';
import type { DataDirectory } from './data-directory.ts';

const LEFTOVERS_LIMIT_MS = 10_000;

/**
 * Changes the owner of a cluster to the identity that PostgreSQL runs under, if it belongs to root (which cannot run it)
 * or to nobody, as previous versions created it. For the holder of the lock.
 * @returns the owner afterwards: nobody, with a warning, if it cannot be changed
 */
export async function takeOverCluster(
  directory: DataDirectory,
  identity: Identity,
  warn: (message: string) => void,
): Promise<Identity> {
  if (identity === null) return null;
  const nobody = await findNobody();
  const owned = await stat(directory.cluster);
  if (owned.uid !== 0 && owned.uid !== nobody.uid) return identity;
  await assertUnused(directory.cluster, owned);
  try {
    if (identity.uid !== nobody.uid) await chownDataDirectory(identity, directory.path, nobody.uid);
    await chownCluster(identity, await resolveTrusted(directory.cluster), nobody.uid);
    return identity;
  } catch (error) {
    if (identity.uid === nobody.uid) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    warn(
      `${directory.cluster} cannot be given to uid ${identity.uid} (${reason}): PostgreSQL runs as nobody, whose ` +
        'other processes can read its data.',
    );
    await chownCluster(nobody, await resolveTrusted(directory.cluster), nobody.uid);
    return nobody;
  }
}

/** A symbolic link to the cluster is followed only if root alone can have created it. */
async function resolveTrusted(cluster: string): Promise<string> {
  const parent = await stat(dirname(cluster));
  return parent.uid === 0 && (parent.mode & 0o022) === 0 ? realpath(cluster) : cluster;
}

/** A server finds processes of a killed one only under its own uid: before that changes, there must be none. */
async function assertUnused(cluster: string, owned: Stats): Promise<void> {
  if (await waitUntil(LEFTOVERS_LIMIT_MS, async () => !(await hasProcess(owned)), 100)) return;
  throw new EmbeddedPostgresError(
    'already_running',
    `Processes that a previous run left behind still use ${cluster} and do not end.`,
  );
}

async function hasProcess(directory: Stats): Promise<boolean> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const used = await Promise.all(pids.map((pid) => stat(`/proc/${pid}/cwd/`).catch(() => null)));
  return used.some((other) => other?.ino === directory.ino && other.dev === directory.dev);
}
