/**
 * SQL of the number of events that rows of `events` stand for: one that was kept as a sample of a storm stands for those
 * of its kind that were counted and not kept before it. Exact without samples, else an estimate.
 * @param condition on the rows
 */
export function eventCount(condition = 'true'): string {
  return `coalesce(sum(coalesce(weight, 1)) FILTER (WHERE ${condition}), 0)`;
}
