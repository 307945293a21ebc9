import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { BATCH_SIZES } from '../platform/batch-sizes.ts';

/** Metrics of processing. */
export interface ProcessingMetrics {
  processingBatchEvents: Histogram;
  eventsProcessed: Counter<'result'>;
  groups: Counter<'result'>;
  deadLetters: Gauge;
}

export const GROUP_RESULTS = ['created', 'folded', 'regressed'] as const;

export function createProcessingMetrics(registers: Registry[]): ProcessingMetrics {
  const metrics = {
    processingBatchEvents: new Histogram({
      name: 'tocsin_processing_batch_events',
      help: 'Events taken from the queue by one statement',
      buckets: BATCH_SIZES,
      registers,
    }),
    eventsProcessed: new Counter({
      name: 'tocsin_events_processed_total',
      help: 'Events taken from the queue: stored, sampled (counted, not kept), duplicate, dead (dead letter) or dropped (project deleted)',
      labelNames: ['result'],
      registers,
    }),
    groups: new Counter({
      name: 'tocsin_groups_total',
      help: 'Groups: created, folded (a kind of event beyond the bound on new groups, in each batch) or regressed',
      labelNames: ['result'],
      registers,
    }),
    deadLetters: new Gauge({
      name: 'tocsin_dead_letters',
      help: 'Dead letters that are kept',
      registers,
    }),
  };
  // A series that begins with its first event has no increase, so each begins with 0.
  for (const result of ['stored', 'sampled', 'duplicate', 'dead', 'dropped'])
    metrics.eventsProcessed.inc({ result }, 0);
  for (const result of GROUP_RESULTS) metrics.groups.inc({ result }, 0);
  return metrics;
}
