import { isErrorOrWorse, type RiskSeries, type Severity } from '../types.ts';

const ANY = { type: null, severity: null, source: null, fingerprint: null };

export const TOTAL: RiskSeries = { kind: 'total', ...ANY };
/** Index of `TOTAL`, the first series of each project. */
export const TOTAL_INDEX = 0;
/** All events of severity error or worse: trouble that is spread over many series shows only here. */
export const ERRORS: RiskSeries = { kind: 'errors', ...ANY };
/** Events beyond the maximum number of series. */
export const OTHER: RiskSeries = { kind: 'other', ...ANY };
/** Failed payments, in percent. */
export const FAILED_PAYMENTS: RiskSeries = { kind: 'failed_payments', ...ANY, type: 'payment' };

export function eventsSeries(type: string, severity: Severity, source: string | null): RiskSeries {
  return { kind: 'events', type, severity, source, fingerprint: null };
}

/** Returns the key of a series within its project: only the kind `events` has more than one. */
export function slotKeyOf({ kind, type, severity, source }: RiskSeries): string {
  return kind === 'events' ? eventsKey(type ?? '', severity ?? 'info', source) : kind;
}

/** Returns a key on the hot path: it is cheap and injective. */
export function eventsKey(type: string, severity: Severity, source: string | null): string {
  return source === null ? `${severity} - ${type}` : `${severity} ${type.length} ${type} ${source}`;
}

/** True if more of it is always trouble, and less of it never is. */
export function isErrorSeries({ kind, severity }: Pick<RiskSeries, 'kind' | 'severity'>): boolean {
  return kind === 'errors' || (kind === 'events' && severity !== null && isErrorOrWorse(severity));
}

/** True for the regular traffic: events of severity info or warn, or all of the project. */
export function isTraffic(series: Pick<RiskSeries, 'kind' | 'severity'>): boolean {
  const { kind } = series;
  return kind === 'total' || kind === 'other' || (kind === 'events' && !isErrorSeries(series));
}

const DEFAULT_WEIGHT = 1;
const IMPORTANT_WEIGHT = 3;
/** Share of all series that the weight of the project's total has, beyond that of one series. */
const TOTAL_SHARE = 0.1;

/** True if it counts the events of many series. */
export function isSum({ kind }: Pick<RiskSeries, 'kind'>): boolean {
  return kind === 'total' || kind === 'errors' || kind === 'other';
}

/** Returns the weight of a series in the project's budget. @param series number of the series of the project, which the total follows */
export function weightOf(key: RiskSeries, series: number): number {
  if (key.kind === 'total') return DEFAULT_WEIGHT + TOTAL_SHARE * series;
  if (key.kind === 'errors' || key.kind === 'failed_payments') return IMPORTANT_WEIGHT;
  return key.severity === 'critical' || key.type?.startsWith('payment') ? IMPORTANT_WEIGHT : DEFAULT_WEIGHT;
}
