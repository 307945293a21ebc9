import { formatAmount, formatSpan } from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';
import { formatCount, formatMinute } from '../../lib/format.ts';
import { listFailures } from './opening-words.ts';
import { texts } from './texts.ts';

const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;
/** Rates below this are "almost never": one event in three weeks. */
const MIN_PER_DAY = 0.05;

/** Formats a rate in the unit in which it is one event or more: "43 a minute", "2.5 an hour", "3 a day". */
export function formatRate(perMinute: number): string {
  if (perMinute >= 1) return texts.watched.perMinute(formatAmount(perMinute));
  if (perMinute * MINUTES_AN_HOUR >= 1)
    return texts.watched.perHour(formatAmount(perMinute * MINUTES_AN_HOUR));
  const perDay = perMinute * MINUTES_A_DAY;
  return perDay < MIN_PER_DAY ? texts.watched.almostNever : texts.watched.perDay(formatAmount(perDay));
}

type Series = WatchedSeriesList['series'][number];
type Thresholds = Pick<Series, 'opening' | 'share' | 'silence' | 'heartbeat'>;

/**
 * Describes the first thing that would open an incident now: the count of the shortest window, failures, or no event until a time. One
 * that is overdue comes before all counts.
 */
export function describeThreshold({ opening, share, silence, heartbeat }: Thresholds, nowMs: number): string {
  const { thresholds, learning } = texts.watched;
  const dueAt = heartbeat?.dueAt ?? silence?.dueAt;
  if (dueAt && Date.parse(dueAt) < nowMs) return thresholds.overdue(formatMinute(dueAt));
  const [shortest] = opening
    .flatMap(({ windowSeconds, rise }) => (rise === null ? [] : [{ windowSeconds, rise }]))
    .toSorted((left, right) => left.windowSeconds - right.windowSeconds || left.rise - right.rise);
  if (shortest) {
    const { rise, windowSeconds } = shortest;
    return thresholds.rise(formatCount(roundRoughly(rise)), formatSpan(windowSeconds / 60));
  }
  const [failures] = share ? listFailures(share) : [];
  if (failures) return thresholds.failures(failures);
  if (dueAt) return thresholds.silence(formatMinute(dueAt));
  return opening.length === 0 && !share ? learning : thresholds.none;
}

/** Rounds to two significant digits: the count changes each minute. */
function roundRoughly(count: number): number {
  return Number(count.toPrecision(2));
}
