/** Returns the median of numbers in any order; the upper one of the two in the middle of an even number of them. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** @param share 0.99: the value that 99 of 100 do not exceed */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
