import { ApiError } from '../../platform/errors.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { GROUP_ERRORS } from '../errors.ts';
import type { GroupRow } from '../group-row.ts';
import type { GroupState } from '../schema.ts';
import { OPEN } from '../state-queries.ts';
import type { GroupPatch } from './schema.ts';

/** A validated change, as a function of any group. */
export interface GroupChange {
  state: GroupState | null;
  resolution: 'now' | 'current' | 'next';
  muteUntil: Date | null;
  muteForCount: number | null;
  mutePeriodSeconds: number | null;
  /** UUID; undefined: unchanged. */
  assigneeId: string | null | undefined;
}

/**
 * Reads a change; a field that belongs to a state implies it.
 * @param assigneeId UUID of the patch's assignee, who is a member
 * @throws ApiError `validation_failed` for fields that contradict each other, and a mute that has ended
 */
export function readChange(
  patch: GroupPatch,
  nowMs: number,
  assigneeId: string | null | undefined,
): GroupChange {
  const { resolvedIn, muteUntil = null, muteForCount = null, mutePeriodSeconds = null } = patch;
  const isMute = muteUntil !== null || muteForCount !== null || mutePeriodSeconds !== null;
  if (resolvedIn !== undefined && (isMute || (patch.state ?? 'resolved') !== 'resolved'))
    throw invalid('/resolvedIn', 'belongs to the state resolved');
  if (isMute && (patch.state ?? 'muted') !== 'muted')
    throw invalid('/state', 'must be muted where a mute is described');
  if (mutePeriodSeconds !== null && muteForCount === null)
    throw invalid('/mutePeriodSeconds', 'needs muteForCount');
  if (mutePeriodSeconds !== null && mutePeriodSeconds % 60 !== 0)
    throw invalid('/mutePeriodSeconds', 'must be whole minutes');
  const untilMs = muteUntil === null ? null : parseIsoTime(muteUntil);
  if (untilMs !== null && untilMs <= nowMs) throw invalid('/muteUntil', 'must be in the future');
  return {
    state: patch.state ?? (resolvedIn === undefined ? (isMute ? 'muted' : null) : 'resolved'),
    resolution: resolvedIn ?? 'now',
    muteUntil: untilMs === null ? null : new Date(untilMs),
    muteForCount,
    mutePeriodSeconds,
    assigneeId,
  };
}

/**
 * Returns the group after the change; it equals the group if nothing changes.
 * @param latestRelease latest release of the project; null: it has none
 * @throws ApiError `no_release` for a resolution in a release of a project that has none
 */
export function applyChange(
  group: GroupRow,
  change: GroupChange,
  { now, latestRelease }: { now: Date; latestRelease: string | null },
): GroupRow {
  const assigned = change.assigneeId === undefined ? group : { ...group, assigneeId: change.assigneeId };
  if (change.state === null) return assigned;
  if (change.state === 'muted') return mute(assigned, change);
  if (change.state === 'resolved') return resolve(assigned, change.resolution, { now, latestRelease });
  return group.state === 'open' ? assigned : { ...assigned, ...OPEN, regressedAt: null };
}

function mute(group: GroupRow, { muteUntil, muteForCount, mutePeriodSeconds }: GroupChange): GroupRow {
  return {
    ...group,
    ...OPEN,
    state: 'muted',
    muteUntil,
    muteUntilCount: muteForCount === null || mutePeriodSeconds !== null ? null : group.count + muteForCount,
    muteRateCount: mutePeriodSeconds === null ? null : muteForCount,
    muteRateSeconds: mutePeriodSeconds,
  };
}

function resolve(
  group: GroupRow,
  resolution: GroupChange['resolution'],
  { now, latestRelease }: { now: Date; latestRelease: string | null },
): GroupRow {
  const release = resolution === 'now' ? group.lastRelease : (latestRelease ?? group.lastRelease);
  if (release === null && resolution !== 'now')
    throw new ApiError(
      GROUP_ERRORS.no_release,
      'The project has sent no event with a release, so a group can only be resolved now.',
    );
  const isSame =
    group.state === 'resolved' && group.resolution === resolution && group.resolvedRelease === release;
  if (isSame) return group;
  const resolved = { resolution, resolvedAt: now, resolvedRelease: release, regressedAt: null };
  return { ...group, ...OPEN, ...resolved, state: 'resolved' };
}

function invalid(pointer: string, message: string): ApiError {
  return new ApiError('validation_failed', `body${pointer} ${message}.`, { fields: [{ pointer, message }] });
}
