import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { findSchemaState, migrate } from '../database/migrate.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin migrate [--check]` */
export function defineMigrate(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('migrate')
    .description('Bring the schema of the database up to this version. The start does so, too.')
    .option('--check', 'apply nothing: print what is pending, and exit with 1 if there is anything')
    .addHelpText(
      'after',
      `
The database is the one that the service uses: DATABASE_URL, else the embedded one in DATA_DIR.

Example, before a new version goes live:
  $ tocsin migrate --check || tocsin migrate`,
    )
    .action(async ({ check = false }: { check?: boolean }) => {
      const config = readConfig(environment);
      process.exitCode = await abortOnSignal(async (signal) => {
        const access = check ? 'beside, existing' : 'beside';
        const { pool, close } = await openDatabase(config, 'tocsin-migrate', access, signal);
        try {
          return await (check ? checkMigrations : applyMigrations)(pool, (line) => {
            process.stdout.write(`${line}\n`);
          });
        } finally {
          await close();
        }
      });
    });
}

type Print = (line: string) => void;

/** Applies pending migrations. @returns the exit code @throws MigrationError */
export async function applyMigrations(pool: Pool, print: Print): Promise<number> {
  const { applied, newer } = await migrate(pool, undefined, (name) =>
    print(`waiting ${name}: others, such as a backup, use a table that it changes`),
  );
  for (const name of applied) print(`applied ${name}`);
  for (const name of newer) print(`newer ${name}`);
  if (applied.length + newer.length === 0) print('The schema is up to date.');
  return 0;
}

/**
 * Lists pending migrations, and those that a newer program has applied. Changes nothing.
 * @returns the exit code: 1 if a migration is pending
 * @throws MigrationError for a newer schema that this program cannot serve on
 */
export async function checkMigrations(pool: Pool, print: Print): Promise<number> {
  const { pending, newer } = await findSchemaState(pool);
  for (const name of pending) print(`pending ${name}`);
  for (const name of newer) print(`newer ${name}`);
  if (pending.length + newer.length === 0) print('The schema is up to date.');
  return pending.length === 0 ? 0 : 1;
}
