import { formatAmount, formatErrorsPer, formatPercent } from '../../../../../server/src/incidents/wording.ts';
import type { Current, Evidence } from '../../../lib/api-types.ts';
import { texts } from '../texts.ts';
import { isAboutAbsence } from './evidence-words.ts';

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

/**
 * What is observed now, its worst minute, and where it goes: "now 70/min (usually 2)", "peak 71/min at 21:23",
 * "rising", "4% of events".
 * @param formatTime of the worst minute
 */
export function describeCurrent(
  current: Current,
  { rule, series }: Pick<Evidence, 'rule' | 'series'>,
  formatTime: (timeMs: number) => string,
): string[] {
  const { observed, perMinute, expected, windowSeconds, peak, trend } = current;
  const rate = observed === 0 ? texts.current.none : formatRate(perMinute);
  const usualPerMinute = expected === null ? null : (60 * expected) / windowSeconds;
  // Beside a rate for a minute, one for an hour would have to be worked out by the reader.
  const beside = observed === 0 ? null : perMinute;
  const usual = usualPerMinute === null ? '' : ` ${texts.current.usual(formatRate(usualPerMinute, beside))}`;
  const worst = isAboutAbsence({ rule }) ? texts.current.lowest : texts.current.peak;
  return [
    texts.current.now(`${rate}${usual}`),
    peak &&
      worst(
        peak.perMinute === 0 ? texts.current.none : formatRate(peak.perMinute),
        formatTime(Date.parse(peak.at)),
      ),
    trend === 'steady' ? null : trend,
    describeShare(current, rule === 'error_share', series.kind === 'failed_payments'),
  ].filter((part) => part !== null);
}

/** In the unit of the sentence: errors are compared with the events beside them. */
function describeShare({ share }: Current, isErrorShare: boolean, isPayments: boolean): string | null {
  if (share === null) return null;
  if (isErrorShare && share < 100) return formatErrorsPer(100, share / (100 - share));
  return `${formatPercent(share)} of ${isPayments ? 'payments' : 'events'}`;
}

/**
 * A rate in the unit in which it is one or more: `70/min`, `12/h`.
 * @param besidePerMinute in the unit of this one, which it then leaves out
 */
function formatRate(perMinute: number, besidePerMinute: number | null = null): string {
  const [unit, minutes] = unitOf(besidePerMinute ?? perMinute);
  return `${formatAmount(perMinute * minutes)}${besidePerMinute === null ? `/${unit}` : ''}`;
}

function unitOf(perMinute: number): [unit: string, minutes: number] {
  if (perMinute >= 1 || perMinute === 0) return ['min', 1];
  return perMinute * 60 >= 1 ? ['h', 60] : ['day', 1_440];
}
