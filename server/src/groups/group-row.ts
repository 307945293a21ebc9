import { Severity } from '../events/severity.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { groupKey } from '../tenancy/projects/group-key.ts';
import { Group, GroupState, Resolution } from './schema.ts';

export interface GroupRow {
  id: string;
  organizationId: string;
  projectId: string;
  /** Beginning of the keys of its project's groups. */
  groupPrefix: string;
  number: number;
  fingerprint: string;
  title: string;
  culprit: string | null;
  type: string;
  source: string | null;
  severity: Severity;
  state: GroupState;
  count: number;
  users: number;
  firstSeen: Date;
  lastSeen: Date;
  firstRelease: string | null;
  lastRelease: string | null;
  resolution: Resolution | null;
  resolvedAt: Date | null;
  resolvedRelease: string | null;
  muteUntil: Date | null;
  /** Count that ends the mute. */
  muteUntilCount: number | null;
  muteRateCount: number | null;
  muteRateSeconds: number | null;
  regressedAt: Date | null;
  /** False if all of its events are from environments that are not watched. */
  isWatched: boolean;
  /** Names, those of merged groups included. */
  environments: string[];
  assigneeId: string | null;
  mergedInto: string | null;
}

export function toGroup(row: GroupRow): Group {
  const moreEvents = row.muteUntilCount === null ? null : Math.max(0, row.muteUntilCount - row.count);
  return {
    id: toId('grp', row.id),
    number: row.number,
    key: groupKey(row.groupPrefix, row.number),
    projectId: toId('proj', row.projectId),
    fingerprint: row.fingerprint,
    title: row.title,
    culprit: row.culprit,
    type: row.type,
    source: row.source,
    severity: row.severity,
    state: row.state,
    count: row.count,
    users: row.users,
    firstSeen: isoTime(row.firstSeen),
    lastSeen: isoTime(row.lastSeen),
    firstRelease: row.firstRelease,
    lastRelease: row.lastRelease,
    environments: row.environments,
    resolution: row.resolution,
    resolvedIn: row.resolvedRelease,
    resolvedAt: row.resolvedAt && isoTime(row.resolvedAt),
    muteUntil: row.muteUntil && isoTime(row.muteUntil),
    muteForCount: row.muteRateCount ?? moreEvents,
    mutePeriodSeconds: row.muteRateSeconds,
    regressedAt: row.regressedAt && isoTime(row.regressedAt),
    assigneeId: row.assigneeId && toId('usr', row.assigneeId),
  };
}
