import { scaled } from './time-scale.ts';

/** Pauses between two checks, which cost the processor more than what is waited for if they follow each other closely. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [10, 50];
/** Pause as a share of the time waited so far. */
const PAUSE_SHARE = 1 / 4;

/**
 * Waits until a condition holds, checking every few milliseconds at first, and less often the longer it takes.
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
  const startMs = performance.now();
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) {
      return value as Exclude<T, null | undefined | false>;
    }
    const waitedMs = performance.now() - startMs;
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    const pauseMs = Math.min(Math.max(MIN_PAUSE_MS, waitedMs * PAUSE_SHARE), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
