import type { Bucket, ProjectRecord } from '../../../lib/api-types.ts';
import { DAY_MS } from '../../../lib/durations.ts';
import { SEVERITIES } from '../../../lib/severity.ts';

type Retention = ProjectRecord['retention'];

/** Number of events of each severity that a choice keeps, by the counts of days: of the first day a part is kept. */
export function countKept(
  buckets: readonly Bucket[],
  retention: Retention,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
) {
  const sum = (severity: (typeof SEVERITIES)[number]) => {
    const fromMs = nowMs - Math.min(retention[severity] ?? retentionDays, retentionDays) * DAY_MS;
    const share = ({ start }: Bucket) =>
      Math.min(1, Math.max(0, (Date.parse(start) + DAY_MS - fromMs) / DAY_MS));
    return Math.round(buckets.reduce((count, bucket) => count + bucket[severity] * share(bucket), 0));
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
