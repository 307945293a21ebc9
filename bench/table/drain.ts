import { setTimeout as delay } from 'node:timers/promises';
import type { BenchProject } from '../support/processes.ts';

const POLL_MS = 10;
const LIMIT_MS = 60_000;

/**
 * Waits until all that was accepted is stored.
 * @returns milliseconds from the call
 * @throws where the worker needs more than a minute
 */
export async function drain(project: Pick<BenchProject, 'ledger'>): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { accepted, stored, queued } = await project.ledger();
    const waitedMs = performance.now() - startedAt;
    if (queued === 0 && stored === accepted) return waitedMs;
    if (waitedMs > LIMIT_MS) throw new Error(`${queued} events are still queued after ${LIMIT_MS} ms.`);
    await delay(POLL_MS);
  }
}
