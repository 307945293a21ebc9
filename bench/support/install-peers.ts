import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './root.ts';

export const PEERS = path.join(ROOT, 'bench/peers');

let isInstalled = false;

/** Installs what the peers need, by their own lockfile, without install scripts; once a run. */
export function installPeers(): void {
  if (isInstalled) return;
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: PEERS,
      // Standard output is the table's.
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) throw new Error('The peers could not be installed.');
  isInstalled = true;
}
