import { constants } from 'node:fs';
import { access, chown, lchown, lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from './errors.ts';

/** Whom PostgreSQL runs as. Null: as we do. */
export type Identity = { uid: number; gid: number } | null;

const NOBODY = 65_534;

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * PostgreSQL refuses to run as root. For root this is whoever a cluster belongs to; for a new cluster the owner
 * of the data directory, or nobody, where that is root or has no account, which `initdb` demands.
 */
export async function chooseIdentity(cluster: string, dataDirectory: string): Promise<Identity> {
  if (!isRoot()) return null;
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const accountOf = (uid: number | undefined) =>
    accounts.find((account) => account.uid !== 0 && account.uid === uid);
  const owner = await ownerOf(cluster);
  if (owner !== null && owner.uid !== 0) {
    return accountOf(owner.uid) ?? { uid: owner.uid, gid: owner.gid || owner.uid };
  }
  const nobody = accounts.find((account) => account.name === 'nobody') ?? { uid: NOBODY, gid: NOBODY };
  return accountOf((await ownerOf(dataDirectory))?.uid) ?? nobody;
}

/** What `spawn` takes: ids as signed 32-bit numbers, so that -2, the nobody of macOS, passes. */
export function spawnIdentity(identity: Identity): { uid?: number; gid?: number } {
  return identity === null ? {} : { uid: identity.uid | 0, gid: identity.gid | 0 };
}

export async function giveTo(identity: Identity, path: string): Promise<void> {
  if (identity !== null) await chown(path, identity.uid, identity.gid);
}

/** Gives a whole tree away, where its root does not belong to the identity yet. Links are not followed. */
export async function giveTreeTo(identity: Identity, path: string): Promise<void> {
  if (identity === null || (await stat(path)).uid === identity.uid) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), identity.uid, identity.gid);
  }
  // The root comes last: if we are ended on the way, the next start begins again.
  await chown(path, identity.uid, identity.gid);
}

/** Whether the identity may enter the directory and all those above it, by their owners and modes. */
export async function canEnter(directory: string, identity: Identity): Promise<boolean> {
  if (identity === null) {
    return access(directory, constants.X_OK).then(
      () => true,
      () => false,
    );
  }
  for (const ancestor of await ancestors(directory)) {
    const { uid, gid, mode } = await stat(ancestor);
    const bit = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
  }
  return true;
}

/** Whether nobody but root and ourselves can change what is in the directory, or put another in its place. */
export async function isTamperProof(directory: string): Promise<boolean> {
  const trusted = new Set([0, process.geteuid?.()]);
  const info = await lstat(directory);
  if (!info.isDirectory() || info.uid !== process.geteuid?.() || (info.mode & 0o022) !== 0) return false;
  for (const ancestor of await ancestors(dirname(directory))) {
    const { uid, mode } = await stat(ancestor);
    const othersMayReplace = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    if (!trusted.has(uid) || othersMayReplace) return false;
  }
  return true;
}

async function ancestors(directory: string): Promise<string[]> {
  const list = [await realpath(directory)];
  for (let [path] = list; path !== undefined && path !== dirname(path); ) {
    path = dirname(path);
    list.push(path);
  }
  return list;
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function parseAccounts(passwd: string): { name: string; uid: number; gid: number }[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}
