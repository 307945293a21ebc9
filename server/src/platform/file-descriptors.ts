import { readFileSync } from 'node:fs';

/** File descriptors of the service itself: pools, listeners, logs, the embedded database take about a hundred. */
const OWN_DESCRIPTORS = 150;
/** Minimum limit: Node.js opens the files of many modules at once, so the start could fail with fewer. */
const MIN_DESCRIPTORS = 512;
/**
 * Share of ingestion. The rest is for management, whose pages and `/livez` answer however many clients of ingestion
 * are idle.
 */
const INGESTION_SHARE = 0.75;

/** Returns why the service cannot start in this process; null: it can, or the system does not say. */
export function findDescriptorShortage(limit = findDescriptorLimit()): string | null {
  if (limit === null || limit >= MIN_DESCRIPTORS) return null;
  return `This process may open ${limit} files, and needs ${MIN_DESCRIPTORS} at least: raise the limit with ulimit -n, LimitNOFILE of systemd or --ulimit nofile of the container.`;
}

/** Returns the maximum number of connections to ingestion; null: no limit. */
export function findMaxConnections(limit = findDescriptorLimit()): number | null {
  return limit === null ? null : Math.max(1, Math.floor((limit - OWN_DESCRIPTORS) * INGESTION_SHARE));
}

/** The number of files and sockets that the process may open; null: the system does not say. */
function findDescriptorLimit(): number | null {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
