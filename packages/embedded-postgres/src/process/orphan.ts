import { EmbeddedPostgresError } from '../errors.ts';
import { waitUntil } from '../wait.ts';
import { disownPostmasterFile, isPostmasterOf, readPostmasterFile } from './postmaster-file.ts';
import { exists } from './process-table.ts';

/** Fast shutdown first, then without a checkpoint, then by force. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

const PATIENCE_MS = { SIGINT: 5_000, SIGQUIT: 3_000, SIGKILL: 2_000 };

/**
 * For the holder of the lock: ends the server that a killed service has left running. Only a process that is
 * seen to work on this cluster is ever signalled, never one that merely has the pid of its file: that may be
 * the pid of another namespace.
 * @param patienceMs how long each signal is given
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

/** Once nothing runs on the cluster: clears what would keep a new server from starting. */
export async function clearPostmasterFile(cluster: string): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file !== null && (file.pid === 0 || exists(file.pid))) await disownPostmasterFile(cluster);
}
