import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum wait of requests in the same process, beside one step of a project. */
const TURN_MS = 20;

/** Runs work to its end. Where it yields, the event loop gets a turn once the work has run for a while. */
export async function inTurns<T>(work: Iterator<undefined, T>): Promise<T> {
  let sinceMs = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - sinceMs < TURN_MS) continue;
    await nextTurn();
    sinceMs = performance.now();
  }
}
