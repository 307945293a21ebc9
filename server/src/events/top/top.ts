import { toId } from '../../platform/ids.ts';
import { toRange } from '../conditions.ts';
import type { EventConditions, Scan, Top } from '../read-types.ts';
import type { EventReader } from '../reader.ts';
import type { TopBy, TopValue } from '../schema.ts';

const SPARKLINE_PARTS = 24;

/**
 * The most frequent values, most frequent first. The range is that of the histogram.
 * @throws ApiError `validation_failed` for a range that ends before it begins
 */
export async function listTop(
  events: EventReader,
  organizationId: string,
  conditions: EventConditions,
  { by, limit, nowMs, signal }: { by: TopBy; limit: number; nowMs: number; signal: AbortSignal },
): Promise<{ values: TopValue[]; scan: Scan | null; range: Top['range'] }> {
  const { values, scan, range } = await events.top(
    organizationId,
    toRange(conditions, nowMs),
    { by, limit, parts: SPARKLINE_PARTS, nowMs },
    signal,
  );
  const counted = values.map(({ shares, groupId, ...value }) => {
    const sparkline = toWholeNumbers(shares);
    return {
      ...value,
      groupId: groupId && toId('grp', groupId),
      count: sparkline.reduce((sum, count) => sum + count, 0),
      sparkline,
    };
  });
  return { values: counted, scan, range };
}

/** Rounds shares such that their sum stays the same. */
export function toWholeNumbers(shares: number[]): number[] {
  let sum = 0;
  return shares.map((share) => {
    const before = Math.round(sum);
    sum += share;
    return Math.round(sum) - before;
  });
}
