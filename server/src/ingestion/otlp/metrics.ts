import { Counter, type Registry } from 'prom-client';
import type { ItemCounts } from './export-request.ts';
import { LOGS, type Signal } from './messages.ts';

/** Metrics of OTLP. */
export interface OtlpMetrics {
  otlpItems: Counter<'kind' | 'outcome'>;
}

export function createOtlpMetrics(registers: Registry[]): OtlpMetrics {
  return {
    otlpItems: new Counter({
      name: 'tocsin_otlp_items_total',
      help: 'Items of OTLP exports: log records that became events, spans that are counted only, and rejected ones',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
  };
}

/** Counts the items of an export that was answered. */
export function noteItems({ otlpItems }: OtlpMetrics, signal: Signal, counts: ItemCounts): void {
  const { items, beyond, unreadable } = counts;
  const rejected = beyond + unreadable;
  otlpItems.inc({ kind: signal.kind, outcome: signal === LOGS ? 'stored' : 'read' }, items - rejected);
  otlpItems.inc({ kind: signal.kind, outcome: 'rejected' }, rejected);
}
