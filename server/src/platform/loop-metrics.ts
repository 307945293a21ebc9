import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of a process' loops. */
export interface LoopMetrics {
  /** Measures the loop from now on. */
  add: (loop: string) => void;
  recordSuccess: (loop: string) => void;
  recordFailure: (loop: string) => void;
}

export function createLoopMetrics(registry: Registry): LoopMetrics {
  /** By the monotonic clock: an age does not leap with the time of day. */
  const succeededMs = new Map<string, number>();
  const failures = new Counter({
    name: 'tocsin_loop_failures_total',
    help: 'Rounds of background work that failed, by loop',
    labelNames: ['loop'],
    registers: [registry],
  });
  const age = new Gauge({
    name: 'tocsin_loop_success_age_seconds',
    help: 'Time since a round of the loop last succeeded (since the start: none has)',
    labelNames: ['loop'],
    registers: [registry],
    collect() {
      for (const [loop, atMs] of succeededMs) age.set({ loop }, (performance.now() - atMs) / 1_000);
    },
  });
  return {
    add: (loop) => {
      failures.inc({ loop }, 0);
      succeededMs.set(loop, performance.now());
    },
    recordSuccess: (loop) => void succeededMs.set(loop, performance.now()),
    recordFailure: (loop) => failures.inc({ loop }),
  };
}
