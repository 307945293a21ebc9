import { scaled } from './time-scale.ts';

/**
 * Waits until a condition holds, checking every few milliseconds.
 * @param probe returns the observed value; the first that is neither null, undefined nor false ends the wait
 * @param limitMs on a quiet machine: generous, since it only bounds a test that fails
 * @throws after the time limit
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T> | T,
  limitMs = 15_000,
): Promise<Exclude<T, null | undefined | false>> {
  const timeoutMs = scaled(limitMs);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) {
      return value as Exclude<T, null | undefined | false>;
    }
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
