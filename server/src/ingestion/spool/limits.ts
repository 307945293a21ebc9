import type { RecordSize, Usage } from './usage.ts';

export interface SpoolLimits {
  /** Maximum bytes that wait on disk for one process, what it adopted included; a project has a share of them. */
  maxBytes: number;
  /** Maximum bytes that wait for an `fsync`, likewise; a larger record is taken where nothing waits. */
  maxPendingBytes: number;
  /** Size from which a segment is closed: what is drained, and held in memory, at a time. */
  segmentBytes: number;
  /** Free bytes of the file system below which nothing is written. */
  minFreeBytes: number;
}

export const SPOOL_LIMITS: SpoolLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxPendingBytes: 32 * 1024 * 1024,
  segmentBytes: 4 * 1024 * 1024,
  minFreeBytes: 2 * 1024 * 1024 * 1024,
};

/** Maximum share of a project. */
const MAX_SHARE = 1 / 2;

/**
 * True if there is room for a record, in all and in the share of its project.
 * @param waiting usage of what waits on disk
 * @param pending usage of what waits for its `fsync`
 */
export function hasRoom(
  { maxBytes, maxPendingBytes }: SpoolLimits,
  waiting: Usage[],
  pending: Usage,
  { projectId, bytes }: RecordSize,
): boolean {
  const fits = (share: number, bytesIn: (usage: Usage) => number) => {
    const pendingBytes = bytesIn(pending);
    if (pendingBytes > 0 && pendingBytes + bytes > maxPendingBytes * share) return false;
    const waitingBytes = waiting.reduce((sum, usage) => sum + bytesIn(usage), 0);
    return waitingBytes + pendingBytes + bytes <= maxBytes * share;
  };
  return fits(1, (usage) => usage.bytes) && fits(MAX_SHARE, (usage) => usage.bytesOf(projectId));
}
