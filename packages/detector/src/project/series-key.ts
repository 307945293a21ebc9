import { isErrorOrWorse, type RiskSeries, type Severity } from '../types.ts';

const ANY = { type: null, severity: null, source: null, fingerprint: null };

export const TOTAL: RiskSeries = { kind: 'total', ...ANY };
/** It is the first series of each project. */
export const TOTAL_INDEX = 0;
/** All of severity error or worse: trouble that is spread over many series shows only here. */
export const ERRORS: RiskSeries = { kind: 'errors', ...ANY };
/** What came after the project had as many series as are told apart. */
export const OTHER: RiskSeries = { kind: 'other', ...ANY };
/** Of a hundred payments, those that failed. */
export const FAILED_PAYMENTS: RiskSeries = { kind: 'failed_payments', ...ANY, type: 'payment' };

export function eventsSeries(type: string, severity: Severity, source: string | null): RiskSeries {
  return { kind: 'events', type, severity, source, fingerprint: null };
}

/** Which place of the detector's table a series has: only `events` has more than one. */
export function slotKeyOf({ kind, type, severity, source }: RiskSeries): string {
  return kind === 'events' ? eventsKey(type ?? '', severity ?? 'info', source) : kind;
}

/** Made for each count: quick to make, and different for what is different. */
export function eventsKey(type: string, severity: Severity, source: string | null): string {
  return source === null ? `${severity} - ${type}` : `${severity} ${type.length} ${type} ${source}`;
}

/** True if more of it is trouble whatever it was before, and less of it never is. */
export function isErrorSeries({ kind, severity }: Pick<RiskSeries, 'kind' | 'severity'>): boolean {
  return kind === 'errors' || (kind === 'events' && severity !== null && isErrorOrWorse(severity));
}

/** True if it counts what is sent in any case: events of severity info or warn, or all of the project. */
export function isTraffic(series: Pick<RiskSeries, 'kind' | 'severity'>): boolean {
  const { kind } = series;
  return kind === 'total' || kind === 'other' || (kind === 'events' && !isErrorSeries(series));
}

const DEFAULT_WEIGHT = 1;
const IMPORTANT_WEIGHT = 3;
/** The project's total weighs as much as one series, and as a tenth of all. */
const TOTAL_SHARE = 0.1;

/** True if it counts the events of many series. */
export function isSum({ kind }: Pick<RiskSeries, 'kind'>): boolean {
  return kind === 'total' || kind === 'errors' || kind === 'other';
}

/** What a series gets of the project's budget, against the others. */
export function weightOf(key: RiskSeries, series: number): number {
  if (key.kind === 'total') return DEFAULT_WEIGHT + TOTAL_SHARE * series;
  if (key.kind === 'errors' || key.kind === 'failed_payments') return IMPORTANT_WEIGHT;
  return key.severity === 'critical' || key.type?.startsWith('payment') ? IMPORTANT_WEIGHT : DEFAULT_WEIGHT;
}
