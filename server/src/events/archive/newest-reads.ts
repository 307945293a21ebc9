import type { Clock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import type { Scan } from '../read-types.ts';
import type { EventReads } from '../reader.ts';
import { findFirstBlockWeek } from './block-queries.ts';
import { findArchivedUntil, findArchivedUntilOfGroup } from './known-value-queries.ts';

/** Age below which no event is in an archive: a week moves 8 days after its end. */
const NEVER_ARCHIVED_MS = 7 * DAY_MS;

/** True for a time after which no event is in an archive. */
export function isNeverArchived(timeMs: number, clock: Clock): boolean {
  return timeMs >= clock.now() - NEVER_ARCHIVED_MS;
}

/** Reads of PostgreSQL alone, which say from when on they are complete where older events of their range are in the archive. */
type NewestReads = Pick<
  EventReads,
  | 'countReleasesOfGroup'
  | 'countEnvironmentsOfGroup'
  | 'findLeadFacts'
  | 'addFailedPayments'
  | 'listNamesOfGroups'
  | 'findFirstMinute'
  | 'countRelease'
  | 'listFieldCounts'
>;

/** A week that moves after a read makes the read incomplete where it was not: so the boundary is read last, never first. */
export function newestReads(reads: EventReads, clock: Clock): NewestReads {
  const { database } = reads;
  /** Time from which on a range is read; null: it has no older events. */
  const edgeOf = async (fromMs: number | null): Promise<number | null> => {
    if (fromMs !== null && isNeverArchived(fromMs, clock)) return null;
    const untilMs = await findArchivedUntil(database);
    return untilMs !== null && (fromMs === null || fromMs < untilMs) ? untilMs : null;
  };
  return {
    async countReleasesOfGroup(organizationId, groupId, page) {
      const counted = await reads.countReleasesOfGroup(organizationId, groupId, page);
      const edgeMs = await findArchivedUntilOfGroup(database, organizationId, groupId);
      return { ...counted, scan: scanFrom(edgeMs, counted.scan, counted.readEvents) };
    },
    async countEnvironmentsOfGroup(organizationId, groupId) {
      const counted = await reads.countEnvironmentsOfGroup(organizationId, groupId);
      if (!counted) return null;
      const edgeMs = await findArchivedUntilOfGroup(database, organizationId, groupId);
      const events = counted.counts.reduce((sum, { count }) => sum + count, 0);
      return { ...counted, scan: scanFrom(edgeMs, counted.scan, events) };
    },
    async findLeadFacts(organizationId, events) {
      const facts = await reads.findLeadFacts(organizationId, events);
      return { ...facts, isComplete: facts.isComplete && (await edgeOf(events.fromMs)) === null };
    },
    async addFailedPayments(organizationId, range) {
      const added = await reads.addFailedPayments(organizationId, range);
      const edgeMs = added.length > 0 ? await edgeOf(range.fromMs) : null;
      if (edgeMs === null) return added;
      return added.map((part) => ({
        ...part,
        firstId:
          part.firstId !== null && uuidTime(part.firstId) >= edgeMs ? part.firstId : uuidLowerBound(edgeMs),
      }));
    },
    async listNamesOfGroups(organizationId, groupIds, range) {
      const names = await reads.listNamesOfGroups(organizationId, groupIds, range);
      if ((await edgeOf(range.fromMs)) === null) return names;
      return names.map((name) => ({ ...name, isComplete: false }));
    },
    async findFirstMinute(organizationId, projectId) {
      const newest = await reads.findFirstMinute(organizationId, projectId);
      const archived = await findFirstBlockWeek(database);
      return newest && (!archived || newest < archived) ? newest : archived;
    },
    async countRelease(organizationId, request) {
      const counted = await reads.countRelease(organizationId, request);
      const edgeMs = await edgeOf(request.fromMs);
      const endMs = request.beforeMs ?? Number.POSITIVE_INFINITY;
      return { ...counted, scan: scanFrom(edgeMs && Math.min(edgeMs, endMs), counted.scan, counted.events) };
    },
    async listFieldCounts(organizationId, counting, range) {
      const counted = await reads.listFieldCounts(organizationId, counting, range);
      const edgeMs = await edgeOf(range.fromMs);
      if (edgeMs === null) return counted;
      const completeFromMs = Math.max(counted.completeFromMs ?? 0, Math.min(edgeMs, range.toMs));
      return { ...counted, completeFromMs };
    },
  };
}

/** @param edgeMs time from which on events were read; null: of the whole range */
function scanFrom(edgeMs: number | null, scan: Scan | null, events: number): Scan | null {
  if (edgeMs === null || (scan && scan.fromMs >= edgeMs)) return scan;
  return { fromMs: edgeMs, events: scan?.events ?? events };
}
