import { isoTime } from '../../platform/time.ts';
import { toRange } from '../conditions.ts';
import { invalidQuery } from '../invalid-query.ts';
import type { EventConditions, Scan } from '../read-types.ts';
import type { EventReader } from '../reader.ts';
import type { HistogramBucket } from '../schema.ts';
import { SEVERITIES } from '../severities.ts';

const USUAL_INTERVALS_SECONDS = [60, 300, 900, 3600, 10_800, 21_600, 86_400, 7 * 86_400];
const USUAL_BUCKETS = 120;
const MAX_BUCKETS = 2_000;

export interface HistogramRequest {
  /** Undefined: chosen by the range. */
  intervalSeconds: number | undefined;
  nowMs: number;
  /** Ends the query when no client waits for it. */
  signal: AbortSignal;
}

export interface HistogramAnswer {
  buckets: HistogramBucket[];
  scan: Scan | null;
}

/**
 * Counts per time bucket and severity, oldest first and without gaps, so that a chart can draw them as they are.
 * @throws ApiError `validation_failed` for more than 2,000 buckets or a range that ends before it begins
 */
export async function countByTime(
  events: EventReader,
  organizationId: string,
  conditions: EventConditions,
  { intervalSeconds, nowMs, signal }: HistogramRequest,
): Promise<HistogramAnswer> {
  const range = toRange(conditions, nowMs);
  const { afterMs, beforeMs } = range;
  // Both bounds are exclusive.
  const intervalMs = 1000 * (intervalSeconds ?? chooseInterval(beforeMs - afterMs - 1));
  const firstBucket = Math.floor((afterMs + 1) / intervalMs);
  const lastBucket = Math.floor((beforeMs - 1) / intervalMs);
  if (lastBucket - firstBucket >= MAX_BUCKETS)
    throw invalidQuery('/interval', `gives more than ${MAX_BUCKETS} buckets`);

  const buckets = Array.from({ length: lastBucket - firstBucket + 1 }, (_, index) => ({
    start: isoTime((firstBucket + index) * intervalMs),
    ...(Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<
      (typeof SEVERITIES)[number],
      number
    >),
  }));
  const { counts, scan } = await events.histogram(organizationId, range, intervalMs, signal);
  for (const { bucketStartMs, severity, count } of counts) {
    const bucket = buckets[bucketStartMs / intervalMs - firstBucket];
    if (bucket) bucket[severity] += count;
  }
  // Buckets that were not scanned are left out: a zero would say that there was nothing.
  const unseen = scan ? Math.floor(scan.fromMs / intervalMs) - firstBucket : 0;
  return { buckets: buckets.slice(unseen), scan };
}

function chooseInterval(rangeMs: number): number {
  const fitting = USUAL_INTERVALS_SECONDS.find((seconds) => rangeMs / (seconds * 1000) <= USUAL_BUCKETS);
  // For more than two years: as many weeks as needed.
  return fitting ?? Math.ceil(rangeMs / 1000 / USUAL_BUCKETS / (7 * 86_400)) * 7 * 86_400;
}
