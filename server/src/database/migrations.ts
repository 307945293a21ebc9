import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const DIRECTORY = new URL('../../migrations/', import.meta.url);
/** The last migration that was released without naming its `min_program`. */
const LAST_WITHOUT_MIN_PROGRAM = 7;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /** The lowest schema version that a program must know to go on serving once this is applied. */
  minProgram: number;
}

export class MigrationError extends Error {
  override name = 'MigrationError';
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
 * @param name such as `0008_min_program.sql`
 * @param sql whose first line is `-- min_program: N`
 * @throws MigrationError where that line is missing, or names a schema that comes later
 */
export function parseMigration(name: string, sql: string): Migration {
  const version = Number(name.slice(0, 4));
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version, name, sql, checksum, minProgram: readMinProgram(version, name, sql) };
}

function readMinProgram(version: number, name: string, sql: string): number {
  if (version <= LAST_WITHOUT_MIN_PROGRAM) return version;
  const minProgram = Number(/^-- min_program: (\d+)\n/.exec(sql)?.[1] ?? Number.NaN);
  if (minProgram >= 1 && minProgram <= version) return minProgram;
  throw new MigrationError(
    `The first line of ${name} must be \`-- min_program: N\`, with N from 1 to ${version}: the lowest schema version that a program must know to go on serving.`,
  );
}
