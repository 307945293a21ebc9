import { Gauge, type Registry } from 'prom-client';

/** Metrics of the queue's backlog. */
export interface QueueMetrics {
  queueDepth: Gauge;
  queueAgeSeconds: Gauge;
}

export function createQueueMetrics(registers: Registry[]): QueueMetrics {
  return {
    queueDepth: new Gauge({
      name: 'tocsin_queue_batches',
      help: 'Batches accepted and not processed yet',
      registers,
    }),
    queueAgeSeconds: new Gauge({
      name: 'tocsin_queue_age_seconds',
      help: 'Age of the oldest batch in the queue',
      registers,
    }),
  };
}
