import { Counter, type Registry } from 'prom-client';
import { SCRUB_RULES } from '../../scrubbing/schema.ts';

/** Metrics of the events that ingestion makes. */
export interface EventMetrics {
  scrubbedValues: Counter<'rule'>;
}

export function createEventMetrics(registers: Registry[]): EventMetrics {
  const scrubbedValues = new Counter({
    name: 'tocsin_scrubbed_values_total',
    help: 'Secrets replaced in events, deploys, alerts and the output of jobs, by the rule that found them',
    labelNames: ['rule'],
    registers,
  });
  for (const rule of SCRUB_RULES) scrubbedValues.inc({ rule }, 0);
  return { scrubbedValues };
}
