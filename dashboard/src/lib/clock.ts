import { useSyncExternalStore } from 'react';

const TICK_MS = 5_000;

let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  nowMs = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const notify of listeners) notify();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time in milliseconds, renewed every five seconds: one timer serves all relative times of a page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
