import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time of a process and all that it started, in milliseconds: unlike the time on the clock it does not grow
 * with what else the machine does. Linux only; elsewhere it is not a number. What ended meanwhile is not counted.
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
  return nanoseconds / 1e6;
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
