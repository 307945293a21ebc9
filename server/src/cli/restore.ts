import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { RestoreKind } from '../backup/distrust-past.ts';
import { openBackupFile } from '../backup/file.ts';
import { createProgress, printToStderr } from '../backup/progress.ts';
import { openBackup } from '../backup/read.ts';
import { assertRestorable, restoreDatabase } from '../backup/restore.ts';
import { readConfig } from '../config.ts';
import { CommandError } from '../platform/command-error.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin restore FILE` */
export function defineRestore(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('restore')
    .description('Fill a new database from a backup. The service must not run on it.')
    .argument('<file>', 'what `tocsin backup` wrote; - for standard input')
    .option('--keep-tokens', 'leave access tokens valid, also those that were revoked after the backup')
    .addHelpText(
      'after',
      `
The database is the one in DATABASE_URL, else the embedded one in DATA_DIR; it must not hold Tocsin data.
A restore that fails leaves it as it was. It ends all sessions and revokes all invitations and access tokens of the backup;
API keys stay valid, and the pages of their projects mark them.

Examples:
  $ DATA_DIR=./restored tocsin restore tocsin-2026-11-21.backup
  $ ssh elsewhere 'cat tocsin.backup' | DATABASE_URL=postgres://tocsin@db/tocsin tocsin restore -`,
    )
    .action((file: string, { keepTokens = false }: { keepTokens?: boolean }) =>
      abortOnSignal((signal) =>
        restore(file, keepTokens ? 'restore, keep tokens' : 'restore', environment, signal),
      ),
    );
}

async function restore(
  file: string,
  kind: RestoreKind,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const config = readConfig(environment);
  if (file === '-' && process.stdin.isTTY) {
    throw new CommandError('A backup does not come from a terminal: redirect a file to standard input.');
  }
  const source = file === '-' ? process.stdin : await openBackupFile(file);
  const backup = await openBackup(source, signal);
  try {
    // Before a database is created for it.
    await assertRestorable(backup.header);
    printToStderr(`The backup was made at ${backup.header.createdAt} by Tocsin ${backup.header.program}.`);
    // A unique name: connections of another restore count as foreign.
    const name = `tocsin-restore-${randomBytes(4).toString('hex')}`;
    const { pool, close } = await openDatabase(config, name, 'alone', signal);
    try {
      const rows = await restoreDatabase(pool, backup, createProgress(printToStderr), { kind });
      printToStderr(`Restored ${rows} rows.`);
      printToStderr(
        `${kind === 'restore' ? 'API keys' : 'API keys and access tokens'} that were revoked and passwords that were changed after ${backup.header.createdAt} are as they were then: revoke and change them again.`,
      );
    } finally {
      await close();
    }
  } finally {
    backup.close();
  }
}
