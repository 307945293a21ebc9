import { MAX_KEYS } from '../pair-queries.ts';
import type { CorrelationKeys, Histogram, Top, TopShares } from '../read-types.ts';
import { SEVERITIES } from '../severities.ts';
import type { Severity } from '../severity.ts';

/** Adds counts of the same bucket and severity. */
export function mergeHistograms(left: Histogram, right: Histogram): Histogram {
  const sums = new Map<string, Histogram['counts'][number]>();
  for (const counted of [...left.counts, ...right.counts]) {
    const key = `${counted.bucketStartMs} ${counted.severity}`;
    const count = (sums.get(key)?.count ?? 0) + counted.count;
    sums.set(key, { ...counted, count });
  }
  return { counts: [...sums.values()], scan: left.scan ?? right.scan };
}

export function mergeKeys(left: CorrelationKeys, right: CorrelationKeys): CorrelationKeys {
  const sums = new Map<string, CorrelationKeys['keys'][number]>();
  for (const counted of [...left.keys, ...right.keys]) {
    const before = sums.get(counted.key) ?? { ...counted, count: 0 };
    sums.set(counted.key, {
      key: counted.key,
      count: before.count + counted.count,
      firstMs: Math.min(before.firstMs, counted.firstMs),
      lastMs: Math.max(before.lastMs, counted.lastMs),
    });
  }
  const keys = [...sums.values()].toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
  return { keys: keys.slice(0, MAX_KEYS), scan: left.scan ?? right.scan };
}

/** @param left the newer ones, whose labels count */
export function mergeTops(left: Top, right: Top, limit: number): Top {
  const sums = new Map<string | null, TopShares>();
  for (const { value, label, groupId, severity, shares } of [...left.values, ...right.values]) {
    const before = sums.get(value);
    sums.set(value, {
      value,
      label: before?.label ?? label,
      groupId: before?.groupId ?? groupId,
      severity: before ? worse(before.severity, severity) : severity,
      shares: shares.map((share, part) => share + (before?.shares[part] ?? 0)),
    });
  }
  const values = [...sums.values()]
    .map((value) => ({ value, count: value.shares.reduce((sum, share) => sum + share, 0) }))
    // As PostgreSQL sorts them: by value where counts are equal, the missing one last.
    .toSorted((a, b) => b.count - a.count || compare(a.value.value, b.value.value))
    .map(({ value }) => value);
  return { values: values.slice(0, limit), scan: left.scan ?? right.scan, range: left.range };
}

function worse(left: Severity, right: Severity): Severity {
  return SEVERITIES.indexOf(left) >= SEVERITIES.indexOf(right) ? left : right;
}

function compare(left: string | null, right: string | null): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  return left < right ? -1 : left > right ? 1 : 0;
}
