import type { Correlation } from './schema.ts';

/** Keys by preference: the most specific one present identifies the group. */
const PREFERRED_KEYS = ['correlation_id', 'order_id', 'customer_id', 'user_id', 'trace_id'];

/**
 * The one value by which events are grouped: the first of the preferred keys, else of all keys in alphabetical order,
 * that has a value; null if none has.
 */
export function findCorrelationId(correlation: Correlation): string | null {
  for (const key of PREFERRED_KEYS) {
    const text = toText(Object.hasOwn(correlation, key) ? correlation[key] : undefined);
    if (text) return text;
  }
  for (const key of Object.keys(correlation).toSorted()) {
    const text = toText(correlation[key]);
    if (text) return text;
  }
  return null;
}

function toText(value: Correlation[string] | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
