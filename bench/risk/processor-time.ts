/*
 * On a machine that does other work a processor does less in the time that is counted: it shares caches, memory and the units
 * of a core. So each measurement stands between two runs of a fixed loop, and is divided by how much longer they took
 * than at rest. The loop is arithmetic in half a megabyte: what waits for memory, as hundreds of projects do, may slow down
 * by more or by less.
 */

const ITERATIONS = 3_000_000;
/** On the machine of packages/detector/LAB.md. */
const AT_REST_US = 18_300;
const LAST = 2 ** 16 - 1;
const numbers = new Float64Array(LAST + 1);
const slowdowns: number[] = [];

/** The processor time of a function, scaled to a machine at rest, in µs. */
export function measureUs(run: () => void): number {
  const before = calibratingUs();
  const us = processorUs(run);
  const slowdown = (before + calibratingUs()) / 2 / AT_REST_US;
  slowdowns.push(slowdown);
  return us / slowdown;
}

/** The median of how much longer the loop has taken than at rest. */
export function medianSlowdown(): number {
  return medianOf(slowdowns);
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

function calibratingUs(): number {
  return processorUs(() => {
    let x = 1.1;
    for (let i = 0; i < ITERATIONS; i++) {
      x = Math.log(1 + x * x) + (numbers[(i * 7919) & LAST] as number); // it lies within
      numbers[i & LAST] = x * 1e-9;
    }
  });
}

export function processorUs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
