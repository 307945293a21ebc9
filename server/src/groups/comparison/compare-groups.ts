import type { CountedGroup } from '../../events/read-types.ts';
import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import { MAX_COMPARED_GROUPS } from '../limits.ts';
import { compareShares } from './compare-shares.ts';
import type { Change, Difference } from './schema.ts';

/** Counts of one of two releases that are compared. */
export interface ComparedCounts {
  version: string;
  events: number;
  groups: readonly CountedGroup[];
  /** Groups with events that were not counted; empty: all were. */
  uncounted: ReadonlySet<string>;
}

export interface GroupChange {
  id: string;
  severity: Severity;
  change: Change;
  events: number;
  baseEvents: number;
  difference: Difference | null;
}

interface GroupPair extends Omit<CountedGroup, 'events'> {
  events: number;
  baseEvents: number;
}

/** Finds the groups that changed between two releases, the most of each change first. */
export function compareGroups(release: ComparedCounts, base: ComparedCounts) {
  const changes: Record<Change, GroupChange[]> = { worse: [], new: [], gone: [] };
  for (const pair of pairsOf(release.groups, base.groups)) {
    const { id, severity, events, baseEvents } = pair;
    const difference = compareShares(
      { part: events, events: release.events },
      { part: baseEvents, events: base.events },
    );
    const change = changeOf(pair, difference, { release, base });
    if (change) changes[change].push({ id, severity, change, events, baseEvents, difference });
  }
  changes.worse.sort((left, right) => lowOf(right) - lowOf(left) || right.events - left.events);
  changes.new.sort((left, right) => bySeverity(left, right) || right.events - left.events);
  changes.gone.sort((left, right) => bySeverity(left, right) || right.baseEvents - left.baseEvents);
  return {
    totals: { worse: changes.worse.length, new: changes.new.length, gone: changes.gone.length },
    groups: Object.values(changes).flatMap((list) => list.slice(0, MAX_COMPARED_GROUPS)),
  };
}

function pairsOf(groups: readonly CountedGroup[], baseGroups: readonly CountedGroup[]): Iterable<GroupPair> {
  const pairs = new Map<string, GroupPair>();
  for (const group of groups) pairs.set(group.id, { ...group, baseEvents: 0 });
  for (const group of baseGroups) {
    const pair = pairs.get(group.id);
    if (pair) pair.baseEvents = group.events;
    else pairs.set(group.id, { ...group, events: 0, baseEvents: group.events });
  }
  return pairs.values();
}

function changeOf(
  { id, severity, firstRelease, events, baseEvents }: GroupPair,
  difference: Difference | null,
  { release, base }: { release: ComparedCounts; base: ComparedCounts },
): Change | null {
  if (baseEvents === 0 && base.uncounted.has(id)) return null;
  if (events > 0 && baseEvents === 0 && firstRelease === release.version) return 'new';
  // Without events of one of them there is nothing to compare.
  if (difference === null) return null;
  if (events === 0) return release.uncounted.has(id) ? null : 'gone';
  return difference.value > 0 && severity !== 'info' ? 'worse' : null;
}

function lowOf({ difference }: GroupChange): number {
  return difference?.low ?? 0;
}

function bySeverity(left: GroupChange, right: GroupChange): number {
  return SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity);
}
