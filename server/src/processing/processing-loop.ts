import type { DatabaseState } from '../database/state.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { Pace } from './pace.ts';
import type { Processor } from './processor.ts';

/** Maximum wait of an event that another process accepts, which cannot wake the worker. */
const IDLE_MS = 100;
/**
 * Interval if no other process accepts events: each event wakes the worker, which polls once more in case that one
 * failed.
 */
const WOKEN_IDLE_MS = 5_000;

interface ProcessingLoopOptions {
  processor: Processor;
  databaseState: DatabaseState;
  monotonicMs: () => number;
  /** True if each event wakes the loop. */
  isWoken: () => boolean;
  onStored: () => void;
}

export function declareProcessingLoop(options: ProcessingLoopOptions): LoopDeclaration {
  const { processor, databaseState, monotonicMs, isWoken, onStored } = options;
  const pace = new Pace();
  return {
    name: 'processing',
    round: async () => {
      const beganAtMs = monotonicMs();
      const processed = databaseState.hasRoomToStore() ? await processor.processNext() : null;
      if (!processed) return 'idle';
      pace.record(processed, beganAtMs);
      onStored();
      return 'again';
    },
    idleDelayMs: () => (isWoken() ? WOKEN_IDLE_MS : IDLE_MS),
    // The first event after a pause is processed at once.
    minIntervalMs: () => pace.intervalMs,
  };
}
