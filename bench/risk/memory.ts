import { setImmediate } from 'node:timers/promises';

/** Returns the memory a series, as a table prints it: no number where it would include garbage. */
export function bytesASeries(bytes: number, series: number): string | number {
  return globalThis.gc ? Math.round(bytes / series) : 'run with --expose-gc';
}

/**
 * Returns the memory that the process holds, after garbage collections where Node runs with `--expose-gc`. The second one frees what the frames
 * of a caller that has returned still held.
 */
export async function usedBytes(): Promise<number> {
  globalThis.gc?.();
  await setImmediate();
  globalThis.gc?.();
  await setImmediate();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
