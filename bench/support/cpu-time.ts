import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time of a process and all that it started, in milliseconds: unlike the time on the clock it does not grow
 * with what else the machine does. Linux only; elsewhere it is not a number. In nanoseconds of the scheduler, since single reads take few of the
 * kernel's ticks; what ended meanwhile (parallel workers of a query) is counted by the tick of 10 ms.
 */
export function cpuTimeOf(pid: number): number {
  try {
    return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + ownTimeOf(one), 0);
  } catch {
    return Number.NaN;
  }
}

function ownTimeOf(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const task of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]);
  } catch {
    // It has ended.
  }
  return nanoseconds / 1e6 + reapedTimeOf(pid);
}

/** Of its children that have ended: see proc(5), fields 16 and 17 of `/proc/pid/stat`. */
function reapedTimeOf(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}

function descendantsOf(pid: number): number[] {
  const children: number[] = [];
  for (const task of readdirSync(`/proc/${pid}/task`))
    for (const child of readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      if (child) children.push(Number(child));
  return children.flatMap((child) => {
    try {
      return [child, ...descendantsOf(child)];
    } catch {
      return [];
    }
  });
}
