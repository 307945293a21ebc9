import { setImmediate } from 'node:timers/promises';

/**
 * What the process holds, after garbage collections where Node runs with `--expose-gc`. The second one frees what the frames
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
