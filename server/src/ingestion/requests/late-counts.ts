import type { RequestCount } from './write-requests.ts';

/** Maximum counts and samples that wait for a write; the oldest are left out. */
export const MAX_WAITING = { counts: 10_000, samples: 2_000 };
/** Maximum samples of one count of refused requests. */
export const MAX_REFUSED_SAMPLES = 20;
/** Counts and samples from which on a further count is of another write. */
const PART = { counts: 1_000, samples: 200 };
/** Period of the counts that are stored. */
const MINUTE_MS = 60_000;

/** Adds counts to earlier ones that were not written: those of the same requests in one minute become one. */
export function mergeCounts(
  earlier: readonly RequestCount[],
  counts: Iterable<RequestCount>,
  bounds = MAX_WAITING,
): RequestCount[] {
  const merged = new Map<string, RequestCount>();
  for (const list of [earlier, counts])
    for (const count of list) {
      const key = `${count.key} ${Math.floor(count.closedMs / MINUTE_MS)}`;
      const known = merged.get(key);
      const samples = [...(known?.samples ?? []), ...count.samples].slice(-MAX_REFUSED_SAMPLES);
      merged.set(key, { ...count, quantity: count.quantity + (known?.quantity ?? 0), samples });
    }
  const kept = [...merged.values()].slice(-bounds.counts);
  let surplus = kept.reduce((sum, { samples }) => sum + samples.length, 0) - bounds.samples;
  for (const count of kept) {
    if (surplus <= 0) break;
    surplus -= count.samples.splice(0, surplus).length;
  }
  return kept;
}

/** Splits counts into parts, each for one short write. */
export function splitCounts(counts: readonly RequestCount[], bounds = PART): RequestCount[][] {
  const parts: RequestCount[][] = [];
  let samples = 0;
  for (const count of counts) {
    const part = parts.at(-1);
    const isFull = !part || part.length >= bounds.counts || samples >= bounds.samples;
    if (isFull) {
      parts.push([count]);
      samples = 0;
    } else part.push(count);
    samples += count.samples.length;
  }
  return parts;
}
