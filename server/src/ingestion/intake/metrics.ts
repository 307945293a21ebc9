import { Gauge, Histogram, type Registry } from 'prom-client';
import { BATCH_SIZES } from '../../platform/batch-sizes.ts';

interface IntakeCounts {
  forCommit: () => number;
  forTurn: () => number;
}

/** Metrics of intake. */
export interface IntakeMetrics {
  intakeBatchEvents: Histogram;
  intakeWaiting: Gauge;
  intakeWaitingTurns: Gauge;
  /** Reads at each scrape how many requests wait for a commit, and for their turn before that. */
  measureIntakeWaiting: (measure: IntakeCounts) => void;
}

export function createIntakeMetrics(registers: Registry[]): IntakeMetrics {
  let count: IntakeCounts = { forCommit: () => 0, forTurn: () => 0 };
  return {
    intakeBatchEvents: new Histogram({
      name: 'tocsin_intake_batch_events',
      help: 'Events acknowledged by one commit',
      buckets: BATCH_SIZES,
      registers,
    }),
    intakeWaiting: new Gauge({
      name: 'tocsin_intake_waiting_requests',
      help: 'Requests that wait for a commit at this moment',
      registers,
      collect() {
        this.set(count.forCommit());
      },
    }),
    intakeWaitingTurns: new Gauge({
      name: 'tocsin_intake_waiting_turns',
      help: 'Requests that wait for their turn to be parsed at this moment',
      registers,
      collect() {
        this.set(count.forTurn());
      },
    }),
    measureIntakeWaiting: (measure) => void (count = measure),
  };
}
