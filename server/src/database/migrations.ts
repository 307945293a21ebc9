import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { CommandError } from '../platform/command-error.ts';

const DIRECTORY = new URL('../../migrations/', import.meta.url);
/** Another migration with the number 1 made every database before it. */
const FIRST_RELEASE = '0001_first_release.sql';
/** Exit code of a command for a database or a backup of before 0.2.0. */
const EXIT_CODE_BEFORE_FIRST_RELEASE = 6;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /** Lowest schema version that a program must know to go on serving once this is applied. */
  minProgram: number;
}

export class MigrationError extends CommandError {
  override name = 'MigrationError';
}

/**
 * Refuses a schema that no released version has created: its tables differ.
 * @param applied migrations of a database or a backup; none: it is empty
 * @throws MigrationError
 */
export function assertReleased(applied: readonly { version: number; name: string }[]): void {
  const first = applied.find(({ version }) => version === 1);
  if (!first || first.name === FIRST_RELEASE) return;
  throw new MigrationError(
    'This database was made before 0.2.0, the first release. Start with an empty DATA_DIR or database.',
    { exitCode: EXIT_CODE_BEFORE_FIRST_RELEASE },
  );
}

let known: Promise<Migration[]> | undefined;

/** The numbered SQL files that belong to this version of the program, in order. They are read once. */
export function readMigrations(): Promise<Migration[]> {
  return (known ??= readDirectory());
}

async function readDirectory(): Promise<Migration[]> {
  const files = (await readdir(DIRECTORY)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).toSorted();
  return Promise.all(
    files.map(async (name) => parseMigration(name, await readFile(new URL(name, DIRECTORY), 'utf8'))),
  );
}

/**
 * @param name file name such as `0008_min_program.sql`
 * @param sql text whose first line is `-- min_program: N`
 * @throws MigrationError if that line is missing, or names a later schema
 */
export function parseMigration(name: string, sql: string): Migration {
  const version = Number(name.slice(0, 4));
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version, name, sql, checksum, minProgram: readMinProgram(version, name, sql) };
}

function readMinProgram(version: number, name: string, sql: string): number {
  const minProgram = Number(/^-- min_program: (\d+)\n/.exec(sql)?.[1] ?? Number.NaN);
  if (minProgram >= 1 && minProgram <= version) return minProgram;
  throw new MigrationError(
    `The first line of ${name} must be \`-- min_program: N\`, with N from 1 to ${version}: the lowest schema version that a program must know to go on serving.`,
  );
}
