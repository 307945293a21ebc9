import type { Severity } from '../events/severity.ts';

/** What a series counts: events of a type, severity and source, or all events of the project. */
export type SeriesKey =
  | { kind: 'events'; type: string; severity: Severity; source: string | null }
  /** What came after the project had as many series as are told apart. */
  | { kind: 'other' }
  | { kind: 'total' };

export function nameOf(key: SeriesKey): string {
  return key.kind === 'events' ? JSON.stringify([key.type, key.severity, key.source]) : key.kind;
}

const PLAIN = 1;
const IMPORTANT = 3;
/** The project's total weighs as much as one series, and as a tenth of all. */
const TOTAL_PART = 0.1;

/** What a series gets of the project's budget, against the others. */
export function weightOf(key: SeriesKey, series: number): number {
  if (key.kind === 'total') return PLAIN + TOTAL_PART * series;
  if (key.kind === 'other') return PLAIN;
  return key.severity === 'critical' || key.type.startsWith('payment') ? IMPORTANT : PLAIN;
}
