import { formatErrorsPer, formatPercent } from '../../../../../server/src/incidents/wording.ts';
import type { Current, Evidence, Incident } from '../../../lib/api-types.ts';
import { describeObserved, describeUsual, formatRate } from '../../../ui/display/incident-numbers.ts';
import { texts } from '../texts.ts';

type Values = Pick<Current, 'observed' | 'perMinute' | 'trend'>;

/** What is observed of a series now: "12/min, rising". */
export function describeNow({ observed, perMinute, trend }: Values): string {
  const rate = observed === 0 ? texts.current.none : formatRate(perMinute);
  return trend === 'steady' ? rate : `${rate}, ${trend}`;
}

/** The same of a share, beside which a rate would have another unit: "rising"; null where there is nothing to say. */
export function describeShareNow({ observed, trend }: Values): string | null {
  if (observed === 0) return texts.current.none;
  return trend === 'steady' ? null : trend;
}

/** Whether a rule is about shares, not counts. */
export function isAboutShare(rule: Evidence['rule']): boolean {
  return rule === 'error_share' || rule === 'failed_payments';
}

/** What the head of an incident says in figures. */
export interface Numbers {
  /** The one that is read first: "64/min", "23% of payments", "none". */
  main: string;
  /** Whether it is of now; else of when the incident began. */
  isNow: boolean;
  /** "usually 0.3", "peak 67/min at 16:38", "rising". */
  details: string[];
}

/**
 * What is observed now of an incident's lead; once it is over, what came at first. Null where nothing is counted.
 * @param formatTime of the worst minute
 */
export function describeNumbers(
  { current, rate, evidence, lead }: Pick<Incident, 'current' | 'rate' | 'evidence' | 'lead'>,
  formatTime: (timeMs: number) => string,
): Numbers | null {
  if (!current || !evidence) {
    if (!rate) return null;
    return { main: describeObserved(rate), isNow: false, details: compact([describeUsual(rate)]) };
  }
  const { observed, perMinute, peak, trend, share } = current;
  const isOfPayments = rate?.unit === 'percent';
  const worst = lead.kind === 'absence' ? texts.current.lowest : texts.current.peak;
  // Where nothing comes, neither its lowest minute nor its trend says more.
  const isEmpty = lead.kind === 'absence' && observed === 0;
  const main =
    observed === 0
      ? texts.current.none
      : isOfPayments && share !== null
        ? describeObserved({ ...rate, observed: share })
        : formatRate(perMinute);
  const details = [
    rate && describeUsual(rate, perMinute),
    // Of payments it would be a count beside shares.
    peak && !isOfPayments && !isEmpty && worst(formatRate(peak.perMinute), formatTime(Date.parse(peak.at))),
    !isEmpty && trend,
    share !== null && !isOfPayments && describeShare(share, evidence),
  ];
  return { main, isNow: true, details: compact(details) };
}

const compact = (parts: (string | false | null)[]) => parts.filter((part) => typeof part === 'string');

/** In the unit of the sentence: errors are compared with the events beside them. */
function describeShare(share: number, { rule, series }: Evidence): string {
  return rule === 'error_share' && share < 100
    ? formatErrorsPer(100, share / (100 - share))
    : texts.current.ofEvents(formatPercent(share), series.source !== null);
}
