import { setTimeout as delay } from 'node:timers/promises';

/** Polls the condition; false if it still does not hold after `timeoutMs`. */
export async function waitUntil(
  timeoutMs: number,
  condition: () => boolean | Promise<boolean>,
  intervalMs = 25,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await delay(intervalMs);
  }
  return true;
}

/** Returns true if the promise settles within `timeoutMs`; leaves no timer behind. */
export async function settledBefore(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      delay(timeoutMs, false, { signal: timer.signal }).catch(() => false),
    ]);
  } finally {
    timer.abort();
  }
}
