import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Of the kernel's clock in /proc, on all that Node runs on. */
const MICROSECONDS_PER_TICK = 10_000;

/** CPU of the service by process group, in microseconds since they began. */
export interface Cpu {
  node: number;
  postgres: number;
}

/**
 * CPU of the service's Node process and of its PostgreSQL, backends that have ended included: the postmaster counts its
 * children once it has reaped them.
 */
export function readCpu(nodePid: number, dataDirectory: string): Cpu {
  const postmaster = postmasterOf(dataDirectory);
  const own = readStat(postmaster);
  const children = childrenOf(postmaster).map((pid) => {
    const stat = readStat(pid);
    return stat.ownTicks;
  });
  return {
    node: readStat(nodePid).ownTicks * MICROSECONDS_PER_TICK,
    postgres:
      (own.ownTicks + own.reapedTicks + children.reduce((sum, ticks) => sum + ticks, 0)) *
      MICROSECONDS_PER_TICK,
  };
}

/** The memory of the service's processes in bytes, each shared page divided among those that map it. */
export function readProportionalMemory(nodePid: number, dataDirectory: string): number {
  const postmaster = postmasterOf(dataDirectory);
  return [nodePid, postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + readPss(pid), 0);
}

function readPss(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0; // It has ended meanwhile.
  }
}

/** The first line of PostgreSQL's own file, wherever under the data directory it stands. */
function postmasterOf(dataDirectory: string): number {
  const file = readdirSync(dataDirectory, { recursive: true, encoding: 'utf8' }).find(
    (name) => path.basename(name) === 'postmaster.pid',
  );
  if (!file) throw new Error(`No PostgreSQL runs in ${dataDirectory}.`);
  return Number(readFileSync(path.join(dataDirectory, file), 'utf8').split('\n', 1)[0]);
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => readStat(child).parent === pid);
}

interface Stat {
  parent: number;
  ownTicks: number;
  reapedTicks: number;
}

/** See proc(5), `/proc/pid/stat`: user and system time of a process, and of the children that it has waited for. */
function readStat(pid: number): Stat {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; field 3 follows it.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const at = (field: number) => Number(fields[field - 3]);
    return { parent: at(4), ownTicks: at(14) + at(15), reapedTicks: at(16) + at(17) };
  } catch {
    return { parent: 0, ownTicks: 0, reapedTicks: 0 }; // It has ended meanwhile.
  }
}
