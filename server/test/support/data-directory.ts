import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { inject } from 'vitest';
import { atEnd } from './at-end.ts';
import { runCommand } from './program.ts';

/**
 * Creates the data directory of a service that has stopped, for tests that are not about the first start, which takes as long
 * as all else of a start. It is removed at the end of the test or file.
 */
export async function createDataDirectory(): Promise<string> {
  const parent = await makeScratchDirectory();
  atEnd(() => rm(parent, { recursive: true, force: true, maxRetries: 3 }));
  const directory = path.join(parent, 'data');
  await fillDataDirectory(directory);
  return directory;
}

/** Creates such a data directory at a path. */
export async function fillDataDirectory(directory: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', await makeTemplate(), directory]);
}

/** Returns the migrated data directory that those of all files of the run are copied from. */
async function makeTemplate(): Promise<string> {
  const template = inject('dataTemplate');
  if (existsSync(template)) return template;
  const draft = `${template}.${process.pid}`;
  const environment = { DATABASE_URL: '', DATA_DIR: draft };
  const { exitCode, stderr } = await runCommand(['migrate'], { environment });
  if (exitCode !== 0) throw new Error(`No data directory was made: ${stderr}`);
  // Another process of the run may have made it meanwhile.
  await rename(draft, template).catch((error: unknown) => {
    if (!existsSync(template)) throw error;
  });
  return template;
}
