import { formatAmount } from '../../../../server/src/incidents/wording.ts';
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
