import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const STAMP = path.join(ROOT, 'node_modules/.tocsin-installed');

/**
 * Installs the dependencies where they are missing or the lockfile has changed since. No install script of
 * any package runs (`.npmrc`).
 */
export function installMissing() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.log('Installing dependencies…');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, wanted);
}

/**
 * Runs a command at the root and ends this process with its exit code where it fails.
 * @param {string} command
 * @param {string[]} parameters
 * @param {NodeJS.ProcessEnv} [environment] on top of this process's own
 */
export function run(command, parameters, environment = {}) {
  const { status, signal, error } = spawnSync(command, parameters, {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...environment,
      PATH: `${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    },
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? (signal ? 130 : 1));
}
