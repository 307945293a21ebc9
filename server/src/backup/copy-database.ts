import { PassThrough } from 'node:stream';
import { type Connection, createPool, type Pool } from '../database/database.ts';
import { listApplied } from '../database/migration-queries.ts';
import { CommandError } from '../platform/command-error.ts';
import { readProgramVersion } from '../platform/version.ts';
import { createProgress } from './progress.ts';
import { openBackup } from './read.ts';
import { restoreDatabase } from './restore.ts';
import { writeBackup } from './write.ts';

/**
 * Backs up one database and restores it into another one, which is empty, at the same time: checksum and counts of
 * the backup are compared at the end. Sessions stay valid.
 * @throws CommandError, BackupError, MigrationError
 */
export async function copyDatabase(from: Connection, to: Connection, signal?: AbortSignal): Promise<void> {
  const [source, target] = [openPool(from), openPool(to)];
  try {
    // A first start that was ended early has left nothing to copy.
    if ((await listApplied(source)).length > 0) await copy(source, target, signal);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

async function copy(source: Pool, target: Pool, signal: AbortSignal | undefined): Promise<void> {
  const progress = createProgress(() => {});
  const stream = new PassThrough();
  const writing = writeBackup(source, stream, {
    programVersion: readProgramVersion(),
    progress,
    schema: 'any',
    ...(signal ? { signal } : {}),
  });
  // The reader of the stream then fails with the reason.
  writing.catch((error: Error) => stream.destroy(error));
  const backup = await openBackup(stream, signal);
  try {
    const restored = await restoreDatabase(target, backup, progress, { kind: 'copy' });
    const written = await writing;
    if (restored !== written)
      throw new CommandError(`${written} rows were read, and ${restored} were written.`);
  } finally {
    backup.close();
    await writing.catch(() => {});
  }
}

function openPool(connection: Connection): Pool {
  return createPool({
    connection,
    applicationName: 'tocsin-upgrade',
    maxConnections: 2,
    statementTimeoutMs: 0,
    // The user of the next connection gets the error.
    onError: () => {},
  });
}
