import { formatAmount, formatPercent, formatSpan } from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';

type Series = WatchedSeriesList['series'][number];
export type Opening = Series['opening'][number];
export type Share = NonNullable<Series['share']>;

/**
 * Returns the counts of a side by window, without those that another line implies: of the windows of one step, a shorter one
 * lies within a longer one, so a rise is only listed where each longer window takes more events, and a drop where each
 * shorter one takes fewer. Of windows of the same length the count that opens first is listed.
 */
export function listCounts(opening: Opening[], side: 'rise' | 'drop'): string[] {
  const byWindow = new Map<number, number>();
  for (const one of opening) {
    const count = one[side];
    if (count === null || opening.some((other) => isImplied(other, one, side))) continue;
    const known = byWindow.get(one.windowSeconds) ?? count;
    byWindow.set(one.windowSeconds, side === 'rise' ? Math.min(known, count) : Math.max(known, count));
  }
  return [...byWindow]
    .toSorted(([left], [right]) => left - right)
    .map(([seconds, count]) => `${count.toLocaleString('en')} in ${formatSpan(seconds / 60)}`);
}

/** Returns "6 of 30 payments in 30 min", "9 next to 400 events in 10 min". */
export function listFailures({ of, opening }: Share): string[] {
  return opening.map(({ windowSeconds, events, failures }) => {
    const among = events.toLocaleString('en');
    const failed = failures.toLocaleString('en');
    const counts = of === 'payments' ? `${failed} of ${among} payments` : `${failed} next to ${among} events`;
    return `${counts} in ${formatSpan(windowSeconds / 60)}`;
  });
}

/** Returns "usually 3% fail", "usually 0.5% errors". */
export function formatUsualShare({ of, usualShare }: Share): string {
  return `usually ${formatPercent(100 * usualShare)} ${of === 'payments' ? 'fail' : 'errors'}`;
}

/** Returns "15 of 21 expected events missed". */
export function formatMissed({ expected, threshold }: NonNullable<Series['silence']>): string {
  return `${formatAmount(expected)} of ${formatAmount(threshold)} expected events missed`;
}

function isImplied(other: Opening, one: Opening, side: 'rise' | 'drop'): boolean {
  const [count, otherCount] = [one[side], other[side]];
  if (count === null || otherCount === null || other.stepSeconds !== one.stepSeconds) return false;
  return side === 'rise'
    ? other.windowSeconds > one.windowSeconds && otherCount <= count
    : other.windowSeconds < one.windowSeconds && otherCount >= count;
}
