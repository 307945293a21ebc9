import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of maintenance. */
export interface MaintenanceMetrics {
  clockLeaps: Counter;
  /** Labels: `choice`, that of the installation or of a project. */
  expiredEvents: Counter<'choice'>;
  retentionHeld: Gauge;
}

export function createMaintenanceMetrics(registers: Registry[]): MaintenanceMetrics {
  const metrics: MaintenanceMetrics = {
    clockLeaps: new Counter({
      name: 'tocsin_clock_leaps_total',
      help: 'Times that the clock was found ahead or behind by more than can have passed',
      registers,
    }),
    expiredEvents: new Counter({
      name: 'tocsin_events_expired_total',
      help: 'Stored events that age removed, by whose retention it was: installation or project',
      labelNames: ['choice'],
      registers,
    }),
    retentionHeld: new Gauge({
      name: 'tocsin_retention_held',
      help: '1 while nothing is removed because the clock is not believed',
      registers,
    }),
  };
  for (const choice of ['installation', 'project']) metrics.expiredEvents.inc({ choice }, 0);
  return metrics;
}
