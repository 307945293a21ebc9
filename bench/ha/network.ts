import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/*
 * Three nodes, each in a network namespace of its own, on a bridge in the namespace of this process, which is that of
 * Tocsin, HAProxy and the load. `prove-ha.ts` puts this process into namespaces that end with it, so nothing is taken
 * down here.
 */
export const NODES = [1, 2, 3] as const;
export type NodeNumber = (typeof NODES)[number];

export const nameOf = (node: NodeNumber) => `n${node}`;
/** As in `deploy/ha`. */
export const addressOf = (node: NodeNumber) => `10.77.0.${node}`;
const OWN_ADDRESS = '10.77.0.100/24';

const ip = (...parameters: string[]) => execFileSync('/usr/sbin/ip', parameters, { encoding: 'utf8' });
const portOf = (node: NodeNumber) => `port${node}`;

export function buildNetwork(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'bridge', 'type', 'bridge');
  ip('addr', 'add', OWN_ADDRESS, 'dev', 'bridge');
  ip('link', 'set', 'bridge', 'up');
  for (const node of NODES) {
    const name = nameOf(node);
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('link', 'add', portOf(node), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', portOf(node), 'master', 'bridge', 'up');
    ip('-n', name, 'addr', 'add', `${addressOf(node)}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
  }
}

export const cut = (node: NodeNumber) => ip('link', 'set', portOf(node), 'down');
export const heal = (node: NodeNumber) => ip('link', 'set', portOf(node), 'up');

export const isEmpty = (node: NodeNumber) => ip('netns', 'pids', nameOf(node)).trim() === '';

/** @param command part of the command line; without it, all processes of the node */
export function signalNode(node: NodeNumber, signal: NodeJS.Signals, command = /(?:)/): void {
  for (const line of ip('netns', 'pids', nameOf(node)).split('\n')) {
    const pid = Number(line);
    if (pid > 0 && command.test(commandOf(pid))) signalProcess(pid, signal);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since it was listed.
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
