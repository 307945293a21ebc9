import type { JsonObject } from '../../platform/json/json-object.ts';
import { FILTERED } from '../../scrubbing/replacement.ts';
import type { Changes } from './changes.ts';
import type { Correlation } from './schema.ts';

const MAX_KEYS = 32;
const MAX_LENGTH = 256;

/** Keys by preference: the most specific one present identifies the group. */
const PREFERRED_KEYS = ['correlation_id', 'order_id', 'customer_id', 'user_id', 'trace_id'];

/**
 * The one value by which events are grouped: the first of the preferred keys, else of all keys in alphabetical order,
 * that has a value, which is no replaced secret; null if none has.
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
  return value === null || value === undefined || value === FILTERED ? '' : String(value);
}

/**
 * Returns the correlation of pairs whose value is a text or a number: the first of each key, 32 in all, with keys and
 * values cut to 256 characters.
 */
export function toCorrelation(pairs: Iterable<readonly [string, unknown]>, changes: Changes): Correlation {
  const correlation = new Map<string, string>();
  for (const [key, value] of pairs) {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || text === '' || correlation.has(key)) continue;
    if (correlation.size === MAX_KEYS) {
      changes.add('fields');
      break;
    }
    correlation.set(changes.cut(key, MAX_LENGTH), changes.cut(text, MAX_LENGTH));
  }
  return Object.fromEntries(correlation);
}

/** Returns the fields of an object that are ids by their names. */
export function idPairs(object: JsonObject): [string, unknown][] {
  return Object.entries(object).filter(([key]) => key.endsWith('_id'));
}
