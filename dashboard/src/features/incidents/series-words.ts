import type { RiskSeries, Severity } from '../../lib/api-types.ts';

const EVENTS: Record<Severity, string> = {
  info: 'info events',
  warn: 'warnings',
  error: 'errors',
  critical: 'critical events',
};

/** As in the sentences of the service: what stands between backticks is a name. */
const asName = (name: string) => `\`${name}\``;

/**
 * What a series counts: "errors of `checkout` from `shop`".
 * @param mark what is done with the names in it
 */
export function saySeries(series: RiskSeries, mark: (name: string) => string = asName): string {
  const { kind, type, source } = series;
  // All payments have the one type.
  const withType = type !== null && kind !== 'failed_payments';
  return [whatOf(series), withType && `of ${mark(type)}`, source !== null && `from ${mark(source)}`]
    .filter(Boolean)
    .join(' ');
}

/** What is not told by a severity. */
const KINDS: Partial<Record<string, string>> = {
  failed_payments: 'failed payments',
  new_kind: 'errors of a new kind',
  errors: 'all errors of the project',
  other: 'events of all further kinds',
  total: 'all events of the project',
};

function whatOf({ kind, type, severity, source }: RiskSeries): string {
  const known = KINDS[kind];
  if (known !== undefined) return known;
  if (severity !== null) return EVENTS[severity];
  return type === null && source === null ? 'all events' : 'events';
}

/** What the chart of a series shows, as plain text: "Errors of checkout from shop". */
export function titleChart(series: RiskSeries): string {
  const words = saySeries(series, (name) => name);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
