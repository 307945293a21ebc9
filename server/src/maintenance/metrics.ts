import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of maintenance. */
export interface MaintenanceMetrics {
  clockLeaps: Counter;
  retentionHeld: Gauge;
}

export function createMaintenanceMetrics(registers: Registry[]): MaintenanceMetrics {
  return {
    clockLeaps: new Counter({
      name: 'tocsin_clock_leaps_total',
      help: 'Times that the clock was found ahead or behind by more than can have passed',
      registers,
    }),
    retentionHeld: new Gauge({
      name: 'tocsin_retention_held',
      help: '1 while nothing is removed because the clock is not believed',
      registers,
    }),
  };
}
