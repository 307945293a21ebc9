import type { AttachedSeries } from '../../incidents/evidence-schema.ts';
import { formatAmount, usualOf } from '../../incidents/wording.ts';

/** Errors, the events beside them, and the usual errors for one such event. */
type ComparedErrors = Pick<NonNullable<AttachedSeries['exposure']>, 'events' | 'failures' | 'usualShare'>;

/**
 * Errors among the events: "6 of 10 events, usually 4 of 1,000"; few errors as counts: "6 of 115 events, usually …".
 * @param span time of the events: " in 5 min"
 * @param areCounted false: the errors are of other minutes than a count beside them, so that only their share is given
 * @param usually where the usual share is from: "elsewhere"
 */
export function describeShare(
  { events, failures, usualShare }: ComparedErrors,
  { span = '', areCounted = true, usually = 'usually' } = {},
): string {
  const share = failures / (events + failures);
  const usual = usualOf(usualShare);
  const base = baseOf(usual, MAX_ROUNDING_OF_USUAL);
  const isSameBase = share * base <= MAX_OF_USUAL_BASE && isClear(share, base, MAX_ROUNDING);
  const observed =
    areCounted && failures < MIN_SHARE_FAILURES
      ? `${formatAmount(failures)} of ${formatAmount(events + failures)}`
      : formatShare(share, isSameBase ? base : undefined);
  const least = usual * MAX_BASE < 1 ? 'normally close to none' : `${usually} ${formatShare(usual, base)}`;
  return `${observed} events${span}, ${least}`;
}

/** "8.5× as frequent": the factor of the share, where the events beside the errors are known. */
export function timesAsFrequent({
  observed,
  expected,
  exposure,
}: {
  observed: number;
  expected: number;
  exposure?: ComparedErrors | null | undefined;
}): string {
  const factor = exposure
    ? exposure.failures / (exposure.events + exposure.failures) / usualOf(exposure.usualShare)
    : observed / expected;
  return `${formatAmount(factor)}× as frequent`;
}

/** A share in whole events of a base, by default the smallest that says it well: "6 of 10", "17 of 1,000". */
function formatShare(share: number, base = baseOf(share)): string {
  return `${Math.round(share * base).toLocaleString('en')} of ${base.toLocaleString('en')}`;
}

/** The smallest base in which a whole number is off by no more than a part of it, and all are all. */
function baseOf(share: number, maxRounding = MAX_ROUNDING): number {
  return BASES.find((base) => isClear(share, base, maxRounding)) ?? MAX_BASE;
}

function isClear(share: number, base: number, maxRounding: number): boolean {
  const amount = share * base;
  const isAll = share < 1 && Math.round(amount) === base;
  return !isAll && Math.abs(Math.round(amount) - amount) < maxRounding * amount;
}

const MAX_BASE = 1_000_000;
const MAX_ROUNDING = 0.1;
/** The usual share is an estimate. */
const MAX_ROUNDING_OF_USUAL = 0.2;
const BASES = [10, 100, 1_000, 10_000, 100_000];
/** Largest number of the usual share's base: a larger one would be longer than it says. */
const MAX_OF_USUAL_BASE = 100;
/** A share of fewer errors hides how few they are. */
const MIN_SHARE_FAILURES = 20;
