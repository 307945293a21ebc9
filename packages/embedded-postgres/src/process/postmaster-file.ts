import { constants, realpathSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../data-directory/files.ts';
import { commandLine, processStart } from './process-table.ts';
import { OWNER_SETTING } from './settings.ts';

const LINE_PID = 0;
const LINE_STATUS = 7;

export interface PostmasterFile {
  /** 0 in a torn file. */
  pid: number;
  /** `starting` (crash recovery is part of it), `ready`, `stopping`; empty before the first of them. */
  status: string;
}

/** PostgreSQL's own status in its data directory; null if there is no such file. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const lines = (await readIfThere(join(cluster, 'postmaster.pid')))?.split('\n');
  if (lines === undefined) return null;
  // Negative in the file of a single-user server.
  return { pid: Math.abs(Number(lines[LINE_PID])) || 0, status: lines[LINE_STATUS]?.trim() ?? '' };
}

/** True if the process lives and is a PostgreSQL on this cluster, and not another one that was given its pid. */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if ((await processStart(pid)) === null) return false;
  const command = await commandLine(pid);
  if (command === null || !/^(\S.*\/)?postgres /.test(command)) return false;
  try {
    const [itsDirectory, directory] = await Promise.all([stat(`/proc/${pid}/cwd/`), stat(cluster)]);
    return itsDirectory.dev === directory.dev && itsDirectory.ino === directory.ino;
  } catch {
    // No /proc, or, in a container, no right to read another user's process.
    return command.includes(` ${OWNER_SETTING}=${realpathSync(cluster)} -c `);
  }
}

/**
 * Makes PostgreSQL ignore the pid in a file that a dead server left, if the pid belongs to another process (a zombie
 * counts, too) and it would refuse to start. It ignores the pid of its parent, which we will be; the rest of the file
 * stays, by which it makes sure that no process of the dead server is left.
 */
export async function disownPostmasterFile(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const [pid = '', ...rest] = (await readFile(path, 'utf8')).split('\n');
  if (!/^-?\d+$/.test(pid)) return rm(path);
  // The file belongs to another user when we are root: a link planted there is not followed.
  const file = await open(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  try {
    await file.writeFile([process.pid, ...rest].join('\n'));
  } finally {
    await file.close();
  }
}
