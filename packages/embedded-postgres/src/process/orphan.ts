import { EmbeddedPostgresError } from '../platform/errors.ts';
import { waitUntil } from '../platform/wait.ts';
import { disownPostmasterFile, isPostmasterOf, readPostmasterFile } from './postmaster-file.ts';
import { exists } from './process-table.ts';

/** Fast shutdown first, then without a checkpoint, then by force. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

const PATIENCE_MS = { SIGINT: 5_000, SIGQUIT: 3_000, SIGKILL: 2_000 };

/**
 * Ends the server that a killed service has left running. For the holder of the lock. Only a process that is seen to
 * work on this cluster is ever signalled, never one that merely has the pid of its file: that may be the pid of
 * another namespace.
 * @param patienceMs time that each signal is given
 * @throws EmbeddedPostgresError `already_running`
 */
export async function endOrphan(
  cluster: string,
  log: (line: string) => void,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file === null) return;
  for (const signal of SIGNALS) {
    if (!(await isPostmasterOf(cluster, file.pid))) break;
    log(`stopping the PostgreSQL that a previous run left behind (process ${file.pid}, ${signal})`);
    process.kill(file.pid, signal);
    await waitUntil(patienceMs[signal], async () => !(await isPostmasterOf(cluster, file.pid)));
  }
  if (await isPostmasterOf(cluster, file.pid)) {
    throw new EmbeddedPostgresError(
      'already_running',
      `A PostgreSQL that a previous run left behind still runs on ${cluster} and does not end: process ${file.pid}.`,
    );
  }
}

/** Removes what would keep a new server from starting, once no process runs on the cluster. */
export async function clearPostmasterFile(cluster: string): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file !== null && (file.pid === 0 || exists(file.pid))) await disownPostmasterFile(cluster);
}
