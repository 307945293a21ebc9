import { Counter, type Registry } from 'prom-client';
import type { Incident } from './schema.ts';

/** Metrics of created incidents. */
export interface IncidentMetrics {
  incidents: Counter<'origin'>;
}

export function createIncidentMetrics(registers: Registry[], origins: Incident['origin'][]): IncidentMetrics {
  const metrics = {
    incidents: new Counter({
      name: 'tocsin_incidents_created_total',
      help: 'Incidents created by this process',
      labelNames: ['origin'],
      registers,
    }),
  };
  // A series that begins with its first event has no increase, so each begins with 0.
  for (const origin of origins) metrics.incidents.inc({ origin }, 0);
  return metrics;
}
