import { Gauge, Histogram, type Registry } from 'prom-client';
import { BATCH_SIZES } from '../../platform/batch-sizes.ts';

/** What intake says about itself. */
export interface IntakeMetrics {
  intakeBatchEvents: Histogram;
  intakeWaiting: Gauge;
  /** How many requests wait for a commit, asked at each scrape. */
  measureIntakeWaiting: (measure: () => number) => void;
}

export function createIntakeMetrics(registers: Registry[]): IntakeMetrics {
  let countWaiting: () => number = () => 0;
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
        this.set(countWaiting());
      },
    }),
    measureIntakeWaiting: (measure) => void (countWaiting = measure),
  };
}
