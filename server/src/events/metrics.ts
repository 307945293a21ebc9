import { Gauge, type Registry } from 'prom-client';

/** Metrics of the event store. */
export interface EventStoreMetrics {
  partitionWeeksAhead: Gauge;
}

export function createEventStoreMetrics(registers: Registry[]): EventStoreMetrics {
  return {
    partitionWeeksAhead: new Gauge({
      name: 'tocsin_partition_weeks_ahead',
      help: 'Weeks after the present one that events can be stored in',
      registers,
    }),
  };
}
