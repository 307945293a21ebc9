import type { GroupRow } from '../group-row.ts';

/** Negative if the first of two releases of a project is the older one, positive if it is the newer one. */
type CompareReleases = (left: string, right: string) => number;

export interface Arrivals {
  /** Last capture of the events of each release; null: without a release. */
  releases: ReadonlyMap<string | null, number>;
  /** When the last of them was received. */
  receivedMs: number;
  /** Number of events within the period of the mute, the new ones included; null: the mute has none. */
  recent: number | null;
  /** Last release of the group before they came. */
  releaseBefore: string | null;
  compareReleases: CompareReleases;
}

/**
 * Effect of new events on a group, whose count includes them: `regressed` after a resolution, `unmuted` if the end of
 * the mute is reached.
 */
export function decideReopening(group: GroupRow, arrivals: Arrivals): 'regressed' | 'unmuted' | null {
  if (group.state === 'open') return null;
  if (group.state === 'muted') return endsMute(group, arrivals) ? 'unmuted' : null;
  const releases = [...arrivals.releases];
  return releases.some(([release, lastMs]) => reopens(group, release, lastMs, arrivals)) ? 'regressed' : null;
}

/**
 * Events captured before the resolution never reopen, however late they come; nor do those of an older release, nor
 * those without a release, unless the group never had one.
 */
function reopens(
  { resolution, resolvedAt, resolvedRelease }: GroupRow,
  release: string | null,
  lastMs: number,
  { releaseBefore, compareReleases }: Arrivals,
): boolean {
  if (resolvedAt === null || lastMs <= resolvedAt.getTime()) return false;
  if (release === null) return releaseBefore === null;
  if (resolvedRelease === null) return true;
  const order = compareReleases(release, resolvedRelease);
  return resolution === 'next' ? order > 0 : order >= 0;
}

function endsMute(
  { count, muteUntil, muteUntilCount, muteRateCount }: GroupRow,
  { receivedMs, recent }: Arrivals,
): boolean {
  if (muteUntil !== null && receivedMs >= muteUntil.getTime()) return true;
  if (muteUntilCount !== null && count >= muteUntilCount) return true;
  return muteRateCount !== null && recent !== null && recent >= muteRateCount;
}
