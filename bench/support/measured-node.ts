import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installPeers, PEERS } from './install-peers.ts';

/** The program that the service and its client library run on; yardsticks, peers and load run on that of the benchmark. */
let program = process.execPath;

export function measuredNode(): string {
  return program;
}

/**
 * Chooses the Node that is measured.
 * @param choice a major version that the peers bring along as a package, such as `24`, or the path of a program
 * @returns its version
 * @throws where it cannot run
 */
export function chooseMeasuredNode(choice: string): string {
  const isVersion = /^\d+$/.test(choice);
  if (isVersion) installPeers();
  const name = `node-${process.platform}-${process.arch}`;
  const chosen = isVersion ? path.join(PEERS, 'node_modules', name, 'bin/node') : path.resolve(choice);
  const { status, stdout } = spawnSync(chosen, ['--version'], { encoding: 'utf8' });
  const version = status === 0 ? stdout.trim() : '';
  if (!version.startsWith(isVersion ? `v${choice}.` : 'v'))
    throw new Error(`No Node ${choice} runs here: ${chosen} answers ${version || 'nothing'}.`);
  program = chosen;
  return version;
}
