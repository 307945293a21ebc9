import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Resolution of the kernel's clock in `/proc/pid/stat`, on all that Node runs on. */
const MS_PER_TICK = 10;

/** CPU of the service by process group, in microseconds since they began. */
export interface Cpu {
  node: number;
  postgres: number;
}

/** CPU of the service's Node process, and of its PostgreSQL with the backends that have ended. */
export function readCpu(nodePid: number, dataDirectory: string): Cpu {
  return { node: ownTimeOf(nodePid) * 1_000, postgres: cpuTimeOf(postmasterOf(dataDirectory)) * 1_000 };
}

/**
 * The processor time of a process and all that it started, in milliseconds: unlike the time on the clock it does not grow
 * with what else the machine does. Linux only; elsewhere it is not a number. In nanoseconds of the scheduler, since single
 * reads take few of the kernel's ticks; what ended meanwhile (parallel workers of a query) is counted by the tick.
 */
export function cpuTimeOf(pid: number): number {
  try {
    return withDescendants(pid).reduce((sum, one) => sum + ownTimeOf(one) + reapedTimeOf(one), 0);
  } catch {
    return Number.NaN;
  }
}

/** The memory of the service's processes in bytes, each shared page divided among those that map it. */
export function readProportionalMemory(nodePid: number, dataDirectory: string): number {
  const pids = [nodePid, ...withDescendants(postmasterOf(dataDirectory))];
  return pids.reduce((sum, pid) => sum + unlessEnded(() => pssOf(pid), 0), 0);
}

function pssOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1_024;
}

/** Returns the CPU time of the running threads, in milliseconds. */
function ownTimeOf(pid: number): number {
  const nanoseconds = threadsOf(pid).map((thread) =>
    unlessEnded(() => Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ', 1)[0]), 0),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Returns the CPU time of its ended children, in milliseconds: see proc(5), fields 16 and 17 of `/proc/pid/stat`. */
function reapedTimeOf(pid: number): number {
  return unlessEnded(() => {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; field 3 follows it.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
  }, 0);
}

/** @throws where the process does not run, or the system has no `/proc` */
function withDescendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '), []),
  );
  return [
    pid,
    ...children
      .filter((child) => child !== '')
      .flatMap((child) => unlessEnded(() => withDescendants(Number(child)), [])),
  ];
}

function threadsOf(pid: number): string[] {
  return unlessEnded(
    () => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`),
    [],
  );
}

/** Processes and threads end while they are read. */
function unlessEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** The first line of PostgreSQL's own file, in the directory or one of its folders: files further below come and go. */
function postmasterOf(dataDirectory: string): number {
  const file = ['.', ...readdirSync(dataDirectory)]
    .map((folder) => path.join(dataDirectory, folder, 'postmaster.pid'))
    .find(existsSync);
  if (!file) throw new Error(`No PostgreSQL runs in ${dataDirectory}.`);
  return Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
}
