import { lstat, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PORT } from '../data-directory/connection-file.ts';
import { EmbeddedPostgresError } from '../platform/errors.ts';
import { canEnter, chownTo, type Identity } from '../root/run-as.ts';

const PREFIX = 'tocsin-pg-';
/** File that exists here while a password is reset. */
export const ACCESS_FILE = 'pg_hba.conf';
const SOCKET = `.s.PGSQL.${PORT}`;
/** macOS accepts 103 bytes, Linux 107. */
const MAX_SOCKET_PATH_BYTES = 100;

/** Creates a fresh directory for the socket, which the identity alone (and root) may enter. */
export async function makeSocketDirectory(identity: Identity): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const longest = join(parent, `${PREFIX}XXXXXX`, SOCKET);
    if (Buffer.byteLength(longest) > MAX_SOCKET_PATH_BYTES) continue;
    if (!(await canEnter(parent, identity).catch(() => false))) continue;
    const directory = await mkdtemp(join(parent, PREFIX)).catch(() => null);
    if (directory === null) continue;
    await chownTo(identity, directory);
    return directory;
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL's socket needs a temporary directory that can be written and has a short path; ${tmpdir()} is none. Set TMPDIR.`,
  );
}

/** Removes it. Never throws, and touches only files that a run leaves in a directory created above. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith(PREFIX)) return;
  try {
    if (!(await lstat(directory)).isDirectory()) return;
    for (const file of [SOCKET, `${SOCKET}.lock`, ACCESS_FILE])
      await rm(join(directory, file), { force: true });
    await rmdir(directory);
  } catch {
    // Gone already, or not ours.
  }
}
