import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lchown, lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../platform/errors.ts';

/** Account that PostgreSQL runs as. Null: the one of this process. */
export type Identity = Account | null;

export interface Account {
  uid: number;
  gid: number;
}

interface NamedAccount extends Account {
  name: string;
}

const NOBODY = 65_534;

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** Uid that PostgreSQL runs under for root, if no other is given: one that no program is known to use. */
export const DEFAULT_UID = 54_329;

/**
 * Chooses the account of PostgreSQL, which refuses to run as root. For root this is the owner of the cluster; for a
 * new cluster the owner of the data directory, if that is another account, else `uid`, which needs none. Never
 * `nobody`, under which other programs run that could read and end the processes under it, unless the system allows
 * no other uid.
 */
export async function chooseIdentity(
  cluster: string,
  dataDirectory: string,
  uid: number,
  warn: (message: string) => void,
): Promise<Identity> {
  if (!isRoot()) return null;
  const accounts = await readAccounts();
  const nobody = nobodyOf(accounts);
  const own = accounts.find((account) => account.uid === uid) ?? { uid, gid: uid };
  const clusterOwner = await ownerOf(cluster);
  if (clusterOwner !== null && clusterOwner.uid !== 0 && clusterOwner.uid !== nobody.uid) {
    const account = accounts.find((account) => account.uid === clusterOwner.uid);
    return account ?? { uid: clusterOwner.uid, gid: clusterOwner.gid || clusterOwner.uid };
  }
  const owner = (await ownerOf(dataDirectory))?.uid;
  const account = accounts.find((account) => account.uid === owner && owner !== 0 && owner !== nobody.uid);
  if (account !== undefined) return account;
  const fault = findFault(own);
  if (fault === null) return own;
  warn(
    `PostgreSQL cannot run under uid ${uid} here (${fault}): it runs as nobody, whose other processes can read ` +
      'its data. Set POSTGRES_UID to a uid that this system allows.',
  );
  return nobody;
}

/**
 * Chooses the account of `initdb`, which requires one. For an identity without one it is nobody, in a group that no
 * other process of nobody is in: by that the kernel keeps them away from its memory and its files.
 */
export async function chooseInitialIdentity(identity: Identity): Promise<Identity> {
  if (identity === null) return null;
  const accounts = await readAccounts();
  if (accounts.some((account) => account.uid === identity.uid)) return identity;
  return { uid: nobodyOf(accounts).uid, gid: identity.gid };
}

export async function findNobody(): Promise<Account> {
  return nobodyOf(await readAccounts());
}

function nobodyOf(accounts: NamedAccount[]): Account {
  return accounts.find((account) => account.name === 'nobody') ?? { uid: NOBODY, gid: NOBODY };
}

/** @returns null, or the reason for which no process can be started under it */
function findFault(identity: Account): string | null {
  const { error } = spawnSync('/bin/sh', ['-c', ':'], { ...spawnIdentity(identity), cwd: '/', env: {} });
  const code = systemCode(error);
  return code === 'EINVAL' || code === 'EPERM' ? code : null;
}

/** Ids for `spawn`, as signed 32-bit numbers, so that -2, the nobody of macOS, is accepted. */
export function spawnIdentity(identity: Identity): { uid?: number; gid?: number } {
  return identity === null ? {} : { uid: identity.uid | 0, gid: identity.gid | 0 };
}

/** Changes the owner without following a link. */
export async function chownTo(identity: Identity, path: string): Promise<void> {
  if (identity !== null) await lchown(path, identity.uid, identity.gid);
}

/** True if the identity may enter the directory and all those above it, by their owners and modes. */
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

/** True if only root and ourselves can change the content of the directory, or put another in its place. */
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

async function readAccounts(): Promise<NamedAccount[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}
