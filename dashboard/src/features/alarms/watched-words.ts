import { formatAmount } from '../../../../server/src/incidents/wording.ts';

const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;
/** One event in three weeks. */
const MIN_PER_DAY = 0.05;

/** A rate in the unit in which it is one event or more: "43 a minute", "2.5 an hour", "3 a day". */
export function formatRate(perMinute: number): string {
  if (perMinute >= 1) return `${formatAmount(perMinute)} a minute`;
  if (perMinute * MINUTES_AN_HOUR >= 1) return `${formatAmount(perMinute * MINUTES_AN_HOUR)} an hour`;
  const perDay = perMinute * MINUTES_A_DAY;
  return perDay < MIN_PER_DAY ? 'almost never' : `${formatAmount(perDay)} a day`;
}
