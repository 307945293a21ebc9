import type { Log } from '../platform/log.ts';
import type { HttpMetrics } from './request-metrics.ts';

export interface Answer {
  service: 'management' | 'ingestion' | 'metrics';
  /** Called only if the log needs it. */
  requestId: () => string;
  method: string;
  /** Pattern, not the address: its ids would make as many series as there are ids. */
  route: string;
  status: number;
  elapsedMs: number;
}

/** Counts an answer, and logs it if requests are logged. */
export function recordAnswer(metrics: HttpMetrics, log: Log, answer: Answer): void {
  const { service, requestId, method, route, status, elapsedMs } = answer;
  metrics.requests.record(answer);
  if (!log.isLevelEnabled('debug')) return;
  log.debug({ service, requestId: requestId(), method, route, status, ms: Math.round(elapsedMs) }, 'request');
}
