import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { LoopMetrics } from '../platform/loop-metrics.ts';

export interface Heap {
  /** Returns the share of the time since the last call in which the event loop worked: 0 to 1. */
  takeBusyShare: () => number;
  /** Returns the bytes reserved for new objects. */
  youngBytes: () => number;
  collect: () => void;
}

const INTERVAL_MS = 10_000;
const IDLE_SHARE = 0.05;
const LARGE_YOUNG_BYTES = 16 * 1024 * 1024;
/**
 * Maximum collections after a load: V8 releases memory if little was allocated before a collection, which the first
 * one may not see.
 */
const MAX_COLLECTIONS = 3;

/**
 * Returns the memory of a load to the system. A large young generation makes a load cheap, and V8 shrinks it only in
 * a full collection, which an idle process does not run for minutes.
 */
export class IdleHeap {
  readonly #heap: Heap;
  #collections = 0;

  constructor(heap: Heap) {
    this.#heap = heap;
  }

  /**
   * Collects if the process was idle since the last check and its young generation is large: at most three times
   * after a load.
   */
  check(): void {
    const isIdle = this.#heap.takeBusyShare() < IDLE_SHARE;
    if (!isIdle) this.#collections = 0;
    else if (this.#collections < MAX_COLLECTIONS && this.#heap.youngBytes() > LARGE_YOUNG_BYTES) {
      this.#collections++;
      this.#heap.collect();
    }
  }
}

/** @returns null: the process was started without `--expose-gc` */
export function startIdleHeap(log: Log, metrics: { loops: LoopMetrics }): Loop | null {
  const collect = globalThis.gc;
  if (!collect) return null;
  let seen = performance.eventLoopUtilization();
  const heap = new IdleHeap({
    takeBusyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, seen);
      seen = now;
      return utilization;
    },
    youngBytes: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
    collect: () => collect(),
  });
  const loop = new Loop({
    name: 'idle heap',
    round: () => {
      heap.check();
      return Promise.resolve('idle');
    },
    idleDelayMs: INTERVAL_MS,
    log,
    metrics,
  });
  loop.start();
  return loop;
}
