import { Counter, type Registry } from 'prom-client';
import type { CheckInStatus } from './schema.ts';

/** Metrics of check-ins and of failures that the service finds. */
export interface CheckInMetrics {
  checkIns: Counter<'status'>;
}

export function createCheckInMetrics(registers: Registry[], statuses: CheckInStatus[]): CheckInMetrics {
  const metrics = {
    checkIns: new Counter({
      name: 'tocsin_check_ins_total',
      help: 'Check-ins of declared schedules that this process has recorded',
      labelNames: ['status'],
      registers,
    }),
  };
  // A series that begins with its first event has no increase, so each begins with 0.
  for (const status of statuses) metrics.checkIns.inc({ status }, 0);
  return metrics;
}
