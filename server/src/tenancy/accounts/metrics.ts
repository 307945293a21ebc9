import { Counter, type Registry } from 'prom-client';

/** Metrics of logins. */
export interface AccountMetrics {
  logins: Counter<'result'>;
}

export function createAccountMetrics(registers: Registry[]): AccountMetrics {
  const metrics = {
    logins: new Counter({
      name: 'tocsin_logins_total',
      help: 'Logins whose password was checked: succeeded, failed, or code_required (right, without the one-time code)',
      labelNames: ['result'],
      registers,
    }),
  };
  // A series that begins with its first event has no increase, so each begins with 0.
  for (const result of ['succeeded', 'failed', 'code_required']) metrics.logins.inc({ result }, 0);
  return metrics;
}
