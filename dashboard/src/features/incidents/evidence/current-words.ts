import { formatPercent } from '../../../../../server/src/incidents/wording.ts';
import type { Current, Evidence, Incident } from '../../../lib/api-types.ts';
import { describeObserved, describeUsual, formatRate } from '../../../ui/display/incident-numbers.ts';
import { texts } from '../texts.ts';

type Values = Pick<Current, 'observed' | 'perMinute' | 'trend'>;

/** Describes the present rate of a series: "12/min, rising". */
export function describeNow({ observed, perMinute, trend }: Values): string {
  const rate = observed === 0 ? texts.current.none : formatRate(perMinute);
  return trend === 'steady' ? rate : `${rate}, ${trend}`;
}

/** Describes the present trend of a share, beside which a rate would have another unit: "rising"; null: steady. */
export function describeShareNow({ observed, trend }: Values): string | null {
  if (observed === 0) return texts.current.none;
  return trend === 'steady' ? null : trend;
}

/** Returns true for a rule whose series is observed as a share, not as a count. */
export function isAboutShare(rule: Evidence['rule']): boolean {
  return rule === 'error_share' || rule === 'above_share' || rule === 'failed_payments';
}

/** Figures at the head of an incident. */
export interface Numbers {
  /** Main figure: "64/min", "23% of payments", "none". */
  main: string;
  /** True if the main figure is the present one; else it is from the start of the incident. */
  isNow: boolean;
  /** "usually 0.3", "peak 67/min at 16:38", "rising". */
  details: string[];
}

/**
 * Describes the present figures of an incident's lead, and the first ones once it is over. Null where nothing is counted.
 * @param formatTime formats the time of the worst minute
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
  // Without events neither the lowest minute nor the trend says more.
  const isEmpty = lead.kind === 'absence' && observed === 0;
  const main =
    observed === 0
      ? texts.current.none
      : isOfPayments && share !== null
        ? describeObserved({ ...rate, observed: share })
        : formatRate(perMinute);
  const details = [
    rate && describeUsual(rate, perMinute),
    // The peak of payments would be a count beside shares.
    peak && !isOfPayments && !isEmpty && worst(formatRate(peak.perMinute), formatTime(Date.parse(peak.at))),
    !isEmpty && trend,
    share !== null &&
      !isOfPayments &&
      texts.current.ofEvents(formatPercent(share), evidence.series.source !== null),
  ];
  return { main, isNow: true, details: compact(details) };
}

const compact = (parts: (string | false | null)[]) => parts.filter((part) => typeof part === 'string');
