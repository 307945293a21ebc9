import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Installs the dependencies if one is missing or has another version than in the lockfile. No install
 * script of any package runs (`.npmrc`).
 */
export function installMissing() {
  if (isInstalled()) return;
  console.log('Installing dependencies…');
  run('npm', ['ci', ...QUIETLY]);
}

/**
 * The same for a folder with a lockfile of its own.
 * @param {string} folder relative to the root
 */
export function installOf(folder) {
  if (isInstalled(`${folder}/`)) return;
  console.log(`Installing the dependencies of ${folder}…`);
  run('npm', ['ci', '--prefix', folder, '--ignore-scripts', ...QUIETLY]);
}

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Compares the lockfile with the one that npm keeps of what it installed, so that an `npm ci` by hand counts
 * too. Optional packages may be absent: those of other platforms are.
 */
function isInstalled(folder = '') {
  const installed = readPackages(`${folder}node_modules/.package-lock.json`);
  if (!installed) return false;
  return Object.entries(readPackages(`${folder}package-lock.json`) ?? {}).every(([place, wanted]) => {
    const found = installed[place];
    // The root itself is only in the lockfile.
    if (!found) return place === '' || wanted.optional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/**
 * @param {string} lockfile relative to the root
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | null} by place; null without the file
 */
function readPackages(lockfile) {
  return existsSync(path.join(ROOT, lockfile)) ? readJson(lockfile).packages : null;
}

/** @param {string} file relative to the root */
export const readJson = (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

/**
 * Runs a command at the root and ends this process with its exit code if it fails.
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
