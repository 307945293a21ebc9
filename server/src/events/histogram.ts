import { ApiError } from '../platform/errors.ts';
import { isoTime } from '../platform/time.ts';
import type { EventConditions, EventReader } from './reader.ts';
import { SEVERITIES } from './severity.ts';

const USUAL_INTERVALS_SECONDS = [60, 300, 900, 3600, 10_800, 21_600, 86_400, 7 * 86_400];
const USUAL_BUCKETS = 120;
const MAX_BUCKETS = 2_000;
const DEFAULT_RANGE_MS = 24 * 60 * 60_000;

/**
 * Counts per time bucket and severity, oldest first and without gaps, so that a chart can draw them as they
 * are. Without `from` it begins 24 hours before its end, without `to` it ends now.
 * @throws ApiError `validation_failed` for more than 2,000 buckets or a range that ends before it begins
 */
export async function countByTime(
  events: EventReader,
  organizationId: string,
  conditions: EventConditions,
  nowMs: number,
  intervalSeconds: number | undefined,
) {
  const beforeMs = conditions.beforeMs ?? nowMs + 1;
  const afterMs = conditions.afterMs ?? beforeMs - DEFAULT_RANGE_MS;
  const rangeMs = beforeMs - afterMs;
  if (rangeMs <= 0) throw invalid('/from', 'must be before the end of the range');

  const intervalMs = 1000 * (intervalSeconds ?? chooseInterval(rangeMs));
  const firstBucket = Math.floor((afterMs + 1) / intervalMs);
  const lastBucket = Math.floor((beforeMs - 1) / intervalMs);
  if (lastBucket - firstBucket >= MAX_BUCKETS)
    throw invalid('/interval', `gives more than ${MAX_BUCKETS} buckets`);

  const buckets = Array.from({ length: lastBucket - firstBucket + 1 }, (_, index) => ({
    start: isoTime((firstBucket + index) * intervalMs),
    ...(Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<
      (typeof SEVERITIES)[number],
      number
    >),
  }));
  const counts = await events.histogram(organizationId, { ...conditions, afterMs, beforeMs }, intervalMs);
  for (const { bucketStartMs, severity, count } of counts) {
    const bucket = buckets[bucketStartMs / intervalMs - firstBucket];
    if (bucket) bucket[severity] += count;
  }
  return buckets;
}

function chooseInterval(rangeMs: number): number {
  const fitting = USUAL_INTERVALS_SECONDS.find((seconds) => rangeMs / (seconds * 1000) <= USUAL_BUCKETS);
  // Longer than two years: as many weeks as it takes.
  return fitting ?? Math.ceil(rangeMs / 1000 / USUAL_BUCKETS / (7 * 86_400)) * 7 * 86_400;
}

function invalid(pointer: string, message: string): ApiError {
  return new ApiError('validation_failed', `query${pointer} ${message}.`, { fields: [{ pointer, message }] });
}
