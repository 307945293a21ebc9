import { requestScanned, type Scan, withQuery } from './api.ts';
import type { Bucket, EventFilterParameters } from './api-types.ts';
import { SEVERITIES } from './severity.ts';

export type RangedFilter = EventFilterParameters & { from: string; to: string };

export interface CountedEvents {
  buckets: Bucket[];
  /** End of the scan; null if the whole range is counted. */
  scan: Scan | null;
}

const INTERVALS_MINUTES = [1, 5, 15, 60, 180, 360, 1_440, 10_080, 50_400];
const MAX_BUCKETS = 120;

/** Returns the same interval for all scans of a range, so that their buckets match; undefined for ranges longer than the retention. */
export function intervalSecondsOf(fromMs: number, toMs: number): number | undefined {
  const minutes = INTERVALS_MINUTES.find((each) => toMs - fromMs <= each * 60_000 * MAX_BUCKETS);
  return minutes && minutes * 60;
}

/**
 * Counts the events that match a filter. If the service scans only the newest events, each further scan begins
 * where the previous one ended; a failed scan keeps the counts of the others.
 */
export async function countInScans(
  filter: RangedFilter,
  scans: number,
  signal: AbortSignal,
): Promise<CountedEvents> {
  // The bounds are exclusive.
  const interval = intervalSecondsOf(Date.parse(filter.from) + 1, Date.parse(filter.to));
  const scanTo = async (to: string): Promise<CountedEvents> => {
    const path = withQuery('/events/histogram', { ...filter, to, interval });
    const { answer: buckets, scan } = await requestScanned<Bucket[]>(path, signal);
    return { buckets, scan };
  };
  let counted = await scanTo(filter.to);
  for (let further = 1; further < scans && counted.scan; further++) {
    const endMs = counted.scan.fromMs;
    const earlier = await scanTo(new Date(endMs).toISOString()).catch(() => null);
    signal.throwIfAborted();
    // One millisecond may hold so many events that no scan gets past them.
    if (!earlier || earlier.scan?.fromMs === endMs) return counted;
    counted = joined(earlier, counted);
  }
  return counted;
}

/** Joins the counts of two consecutive scans, which may share a bucket. */
export function joined(earlier: CountedEvents, later: CountedEvents): CountedEvents {
  const buckets = new Map(earlier.buckets.map((bucket) => [bucket.start, { ...bucket }]));
  for (const bucket of later.buckets) {
    const same = buckets.get(bucket.start);
    if (!same) buckets.set(bucket.start, bucket);
    else for (const severity of SEVERITIES) same[severity] += bucket[severity];
  }
  return {
    buckets: [...buckets.values()].toSorted((one, other) => (one.start < other.start ? -1 : 1)),
    scan: earlier.scan,
  };
}
