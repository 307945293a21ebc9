import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { type Identity, spawnIdentity } from '../root/run-as.ts';

export interface RunOptions {
  program: string;
  identity: Identity;
  cluster: string;
  /**
   * Returns the program's arguments, given the names by which it finds the cluster and the files that it inherits.
   */
  args: (cluster: string, inherited: string[]) => string[];
  detached?: boolean;
  /** Descriptors that it inherits beside those that it knows of. */
  inherits?: number[];
}

/**
 * Starts a program of PostgreSQL on a cluster; rejects if it cannot be started. The program inherits the opened
 * directory instead of finding it by its path: root's data may lie below directories that no other user may enter,
 * and `cluster` may be a path that only this process has.
 */
export async function runOnCluster(options: RunOptions): Promise<ChildProcess> {
  const { program, identity, cluster, args, detached = false, inherits = [] } = options;
  const isLinux = process.platform === 'linux';
  const directory = isLinux ? openSync(cluster, constants.O_RDONLY | constants.O_DIRECTORY) : null;
  const firstInherited = directory === null ? 3 : 4;
  const fdDirectory = isLinux ? '/proc/self/fd' : '/dev/fd';
  const inherited = inherits.map((_, index) => `${fdDirectory}/${firstInherited + index}`);
  let child: ChildProcess;
  try {
    child = spawn(program, args(directory === null ? cluster : '/proc/self/fd/3', inherited), {
      ...spawnIdentity(identity),
      cwd: '/',
      detached,
      // It gets none of our environment: there may be secrets in it, and PG* variables would change its behaviour.
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe', ...(directory === null ? [] : [directory]), ...inherits],
    });
  } finally {
    if (directory !== null) closeSync(directory);
  }
  // Nothing is awaited before this, or the event would be missed; nor after it, so that the caller misses none.
  await once(child, 'spawn');
  return child;
}
