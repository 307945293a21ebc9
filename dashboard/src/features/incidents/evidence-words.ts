import type { Evidence } from '../../lib/api-types.ts';
import { formatCount, formatDuration, formatExpected } from '../../lib/format.ts';
import { formatSlotTime } from '../../ui/chart-time.ts';

const RAREST_A_WEEK = 0.001;

/** How often the like would come by chance; null where that is no question. */
export function sayChance(chanceAWeek: number | null): string | null {
  if (chanceAWeek === null) return null;
  if (chanceAWeek < RAREST_A_WEEK)
    return `by chance less than once in ${formatCount(1 / RAREST_A_WEEK)} weeks`;
  const times = Math.round(chanceAWeek);
  if (times > 1) return `by chance about ${formatCount(times)} times a week`;
  const weeks = Number((1 / chanceAWeek).toPrecision(2));
  return weeks < 1.5
    ? 'by chance about once a week'
    : `by chance about once in ${formatCount(Math.round(weeks))} weeks`;
}

/** The window in which it was found: "3 min from 21 Nov, 12:00". */
export function sayWindow({ windowSeconds, from }: Pick<Evidence, 'windowSeconds' | 'from'>): string {
  return `${formatDuration(windowSeconds * 1_000)} from ${formatSlotTime(Date.parse(from))}`;
}

/** What was to be expected; null for rules that expect nothing. */
export function sayExpectation({ rule, expected }: Pick<Evidence, 'rule' | 'expected'>): string | null {
  if (rule === 'at_least' || rule === 'new_kind') return null;
  return `expected ${formatExpected(expected)}${rule === 'failed_payments' ? ' of 100' : ''}`;
}

/** Whether it is about what did not come: then the events are those before it. */
export function isAboutAbsence({ rule }: Pick<Evidence, 'rule'>): boolean {
  return rule === 'drop' || rule === 'silence';
}
