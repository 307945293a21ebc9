import type { Command } from 'commander';
import { createBackupFile, standardOutput } from '../backup/file.ts';
import { createProgress, printToStderr } from '../backup/progress.ts';
import { upsertBackupTime } from '../backup/time-queries.ts';
import { writeBackup } from '../backup/write.ts';
import { readConfig } from '../config.ts';
import { readProgramVersion } from '../platform/version.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin backup FILE` */
export function defineBackup(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('backup')
    .description('Write everything that is stored, events included, into one file. The service may run.')
    .argument('<file>', 'where to; - for standard output')
    .option('--force', 'replace a file of that name')
    .option('--no-source-maps', 'leave out source maps, which a build can upload again')
    .addHelpText(
      'after',
      `
The file holds password hashes and the secret that signs sessions: keep it as safe as the database.

Examples:
  $ tocsin backup tocsin-2026-11-21.backup
  $ tocsin backup - | ssh elsewhere 'cat > tocsin.backup'`,
    )
    .action((file: string, options: FileOptions) =>
      abortOnSignal((signal) => backUp(file, options, environment, signal)),
    );
}

interface FileOptions {
  force?: boolean;
  sourceMaps: boolean;
}

async function backUp(
  file: string,
  { force = false, sourceMaps }: FileOptions,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const config = readConfig(environment);
  const destination = file === '-' ? standardOutput(process.stdout) : await createBackupFile(file, force);
  try {
    const { pool, close } = await openDatabase(config, 'tocsin-backup', 'beside, existing', signal);
    try {
      const rows = await writeBackup(pool, destination.stream, {
        programVersion: readProgramVersion(),
        progress: createProgress(printToStderr),
        omitsSourceMaps: !sourceMaps,
        signal,
      });
      await destination.publish();
      await upsertBackupTime(pool).catch(warnUnrecorded);
      printToStderr(`Backed up ${rows} rows.`);
    } finally {
      await close();
    }
  } finally {
    await destination.discard();
  }
}

/** Reports that the backup is not recorded: a standby cannot be written to, and the backup is good all the same. */
function warnUnrecorded(): void {
  printToStderr('The time of this backup could not be written into the database.');
}
