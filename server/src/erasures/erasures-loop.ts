import type { LoopDeclaration } from '../platform/loop.ts';
import { Eraser, type EraserDependencies } from './eraser.ts';

/** How long a request waits for a worker, and an erasure for the queue. */
const IDLE_MS = 2_000;
/** Share of time in which an erasure works: the disk and the log are for those who wait. */
const SHARE = 1 / 5;
/** Maximum interval of two steps, however long one had to wait for others. */
const MAX_INTERVAL_MS = 2_000;

export function declareErasuresLoop(dependencies: EraserDependencies): LoopDeclaration {
  const eraser = new Eraser(dependencies);
  return {
    name: 'erasures',
    round: () => eraser.runOnce(),
    idleDelayMs: IDLE_MS,
    minIntervalMs: (tookMs) => Math.min(tookMs / SHARE, MAX_INTERVAL_MS),
  };
}
