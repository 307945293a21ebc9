import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, systemCode, USE_DATABASE_URL } from '../platform/errors.ts';
import { type Identity, isRoot, spawnIdentity } from '../root/run-as.ts';
import { copyForOthers } from './binaries-copy.ts';
import type { PostgresPackage } from './package.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
  /** Removes what was created for this start alone. */
  dispose(): Promise<void>;
}

/**
 * Programs that the identity can run: those in the package, or else a copy of them, if the identity cannot reach the
 * package or its library links can be neither found nor made.
 */
export async function prepareBinaries(source: PostgresPackage, identity: Identity): Promise<Binaries> {
  const native = join(source.directory, 'native');
  const linked = await linkLibraries(source.directory, source.directory);
  if (linked) {
    const fault = await tryToRun(native, identity);
    if (fault === null) return describe(native, source, async () => {});
    const ownFault = isRoot() ? await tryToRun(native, null) : fault;
    if (ownFault !== null) throw unsupported(ownFault);
  }
  let lastFault = 'no temporary directory takes a copy of it';
  for await (const copy of copyForOthers(source, identity)) {
    const copied = join(copy.directory, 'native');
    await linkLibraries(source.directory, copy.directory);
    const fault = await tryToRun(copied, identity);
    if (fault === null) return describe(copied, source, () => copy.dispose());
    lastFault = fault;
    await copy.discard();
  }
  if (identity === null) throw unsupported(lastFault);
  throw new EmbeddedPostgresError(
    'cannot_leave_root',
    `PostgreSQL does not run as root, and could not be run as user ${identity.uid}: ${lastFault}. ` +
      `Start as an ordinary user, or ${USE_DATABASE_URL}.`,
  );
}

function unsupported(fault: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `The embedded PostgreSQL does not run on this system: ${fault}. Instead, ${USE_DATABASE_URL}.`,
  );
}

function describe(native: string, { version }: PostgresPackage, dispose: () => Promise<void>): Binaries {
  const [majorVersion = ''] = version.split('.');
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    majorVersion,
    dispose,
  };
}

/**
 * Makes the links that npm cannot pack and that the package's install script would make if it may run. Any number of
 * processes may do so at once.
 * @returns false if one is missing and the directory cannot be written
 */
async function linkLibraries(listedIn: string, directory: string): Promise<boolean> {
  const list = await readFile(join(listedIn, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(directory, target);
    if (existsSync(link)) continue;
    try {
      // Both are in the same directory; a relative link survives a move of the tree.
      await symlink(basename(source), link);
    } catch (error) {
      if (systemCode(error) === 'EEXIST' && existsSync(link)) continue;
      return false;
    }
  }
  return true;
}

const run = promisify(execFile);

/** @returns null, or the reason for which the programs do not run */
async function tryToRun(native: string, identity: Identity): Promise<string | null> {
  try {
    const options = { ...spawnIdentity(identity), cwd: '/', env: {}, timeout: 30_000 };
    for (const program of ['initdb', 'postgres'])
      await run(join(native, 'bin', program), ['--version'], options);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error);
  }
}
