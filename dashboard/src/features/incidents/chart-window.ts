import type { Bucket, Evidence } from '../../lib/api-types.ts';

export interface ChartWindow {
  fromMs: number;
  toMs: number;
  /** The length of a bucket. */
  intervalMs: number;
}

const BEFORE_MS = 30 * 60_000;
/** That it is quiet again shows only after the resolution. */
const AFTER_MS = 10 * 60_000;
/** An incident that stays open for days would make its beginning invisible. */
const MAX_AFTER_MS = 24 * 60 * 60_000;
const INTERVALS_MS = [60_000, 300_000, 900_000];
const MAX_BUCKETS = 120;

/** What the chart of an incident shows: some time before it, and until now or until it was resolved; whole buckets. */
export function chartWindow(evidence: Evidence, resolvedAt: string | null, nowMs: number): ChartWindow {
  const openedMs = Date.parse(evidence.from);
  const beginMs = openedMs - BEFORE_MS;
  const overMs = resolvedAt === null ? nowMs : Math.min(nowMs, Date.parse(resolvedAt) + AFTER_MS);
  const endMs = Math.max(Date.parse(evidence.to), Math.min(overMs, openedMs + MAX_AFTER_MS));
  const fits = (intervalMs: number) => (endMs - beginMs) / intervalMs <= MAX_BUCKETS;
  const intervalMs = INTERVALS_MS.find(fits) ?? Math.max(...INTERVALS_MS);
  return {
    fromMs: Math.floor(beginMs / intervalMs) * intervalMs,
    toMs: Math.ceil(endMs / intervalMs) * intervalMs,
    intervalMs,
  };
}

/** The expectation for a window of the evidence, as one for a bucket of the chart. */
export function expectedPerBucket({ expected, windowSeconds }: Evidence, intervalMs: number): number {
  return (expected * intervalMs) / (windowSeconds * 1_000);
}

/**
 * Only what the evidence counts: errors and worse. A failed payment counts whatever its severity, which a count
 * does not tell apart, so of payments everything is shown.
 */
export function countedIn(buckets: Bucket[], { series }: Evidence): Bucket[] {
  return series.type === 'payment' ? buckets : buckets.map((bucket) => ({ ...bucket, info: 0, warn: 0 }));
}
