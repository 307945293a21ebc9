import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
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
    .addHelpText(
      'after',
      `
The database is the one in DATABASE_URL, else the embedded one in DATA_DIR; it must not hold Tocsin data.
A restore that fails leaves it as it was.

Examples:
  $ DATA_DIR=./restored tocsin restore tocsin-2026-11-21.backup
  $ ssh elsewhere 'cat tocsin.backup' | DATABASE_URL=postgres://tocsin@db/tocsin tocsin restore -`,
    )
    .action((file: string) => abortOnSignal((signal) => restore(file, environment, signal)));
}

async function restore(file: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const config = readConfig(environment);
  if (file === '-' && process.stdin.isTTY) {
    throw new CommandError('A backup does not come from a terminal: redirect a file to standard input.');
  }
  const source = file === '-' ? process.stdin : await openBackupFile(file);
  const backup = await openBackup(source, signal);
  try {
    // Before a database is made for it.
    await assertRestorable(backup.header);
    printToStderr(`The backup is of ${backup.header.createdAt}, by Tocsin ${backup.header.program}.`);
    // A name of its own: connections of another restore are those of others.
    const name = `tocsin-restore-${randomBytes(4).toString('hex')}`;
    const { pool, close } = await openDatabase(config, name, 'alone', signal);
    try {
      const rows = await restoreDatabase(pool, backup, createProgress(printToStderr), 'end');
      printToStderr(`Restored ${rows} rows.`);
      printToStderr(
        `API keys and access tokens that were revoked and passwords that were changed after ${backup.header.createdAt} are as they were then: revoke and change them again.`,
      );
    } finally {
      await close();
    }
  } finally {
    backup.close();
  }
}
