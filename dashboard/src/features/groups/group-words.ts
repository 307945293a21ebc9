import { NEW_GROUP_MS } from '../../../../server/src/groups/limits.ts';
import type { Group } from '../../lib/api-types.ts';
import { formatCount, formatDay, formatDuration, formatHourMinute, formatMinute } from '../../lib/format.ts';
import { texts } from './texts.ts';

/** Describes the state of a group: `muted until 14:00`, `resolved in 4.18.0`. */
export function describeState(
  group: Pick<
    Group,
    'state' | 'resolution' | 'resolvedIn' | 'muteUntil' | 'muteForCount' | 'mutePeriodSeconds'
  >,
  nowMs: number,
): string {
  const { state, resolution, resolvedIn, muteUntil, muteForCount, mutePeriodSeconds } = group;
  if (state === 'resolved') {
    if (resolvedIn === null || resolution === 'now') return texts.states.resolved;
    return resolution === 'next'
      ? texts.state.resolvedInNext(resolvedIn)
      : texts.state.resolvedIn(resolvedIn);
  }
  if (state === 'open') return texts.states.open;
  if (muteUntil !== null) return texts.state.mutedUntil(formatMoment(muteUntil, nowMs));
  if (muteForCount === null) return texts.state.mutedForEver;
  const count = formatCount(muteForCount);
  return mutePeriodSeconds === null
    ? texts.state.mutedForMore(count)
    : texts.state.mutedForRate(texts.counts.events(count), formatDuration(mutePeriodSeconds * 1_000));
}

/** Formats a time: `14:00` today, `23 Nov, 09:00` otherwise. */
function formatMoment(time: string, nowMs: number): string {
  return formatDay(time) === formatDay(nowMs) ? formatHourMinute(time) : formatMinute(time);
}

export function isNew({ firstSeen }: Pick<Group, 'firstSeen'>, nowMs: number): boolean {
  return nowMs - Date.parse(firstSeen) < NEW_GROUP_MS;
}

export function isRegressed({ state, regressedAt }: Pick<Group, 'state' | 'regressedAt'>): boolean {
  return state === 'open' && regressedAt !== null;
}

/** Returns the first and the last release of a group, `4.17.0 – 4.18.1`; null if it has none. */
export function describeReleases({
  firstRelease,
  lastRelease,
}: Pick<Group, 'firstRelease' | 'lastRelease'>): string | null {
  if (firstRelease === null || lastRelease === null) return lastRelease ?? firstRelease;
  return firstRelease === lastRelease ? lastRelease : `${firstRelease} – ${lastRelease}`;
}
