import type { Bucket, ProjectRecord } from '../../../lib/api-types.ts';
import { DAY_MS } from '../../../lib/durations.ts';
import { SEVERITIES } from '../../../lib/severity.ts';

type Retention = ProjectRecord['retention'];

/** Number of events of each severity that a choice keeps, by the counts of days. */
export function countKept(
  buckets: readonly Bucket[],
  retention: Retention,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
) {
  const sum = (severity: (typeof SEVERITIES)[number]) => {
    const fromMs = nowMs - Math.min(retention[severity] ?? retentionDays, retentionDays) * DAY_MS;
    return buckets.reduce(
      (count, bucket) => (Date.parse(bucket.start) >= fromMs ? count + bucket[severity] : count),
      0,
    );
  };
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, sum(severity)])) as Record<
    (typeof SEVERITIES)[number],
    number
  >;
}

/** Number of events that one choice keeps and another one removes. */
export function countRemoved(before: Record<string, number>, after: Record<string, number>): number {
  return Object.entries(before).reduce((sum, [severity, count]) => {
    return sum + Math.max(0, count - (after[severity] ?? 0));
  }, 0);
}
