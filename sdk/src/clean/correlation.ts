import { describe } from './describe.ts';
import { MAX_CORRELATION_KEYS, MAX_CORRELATION_LENGTH } from './limits.ts';
import { attempt, isObject, read } from './read.ts';
import { cleanText } from './text.ts';

export type CorrelationValue = string | number | boolean | null;

/** These decide how events are grouped, so they stay when there are too many keys. */
const GROUPING_KEYS = ['correlation_id', 'order_id', 'customer_id', 'user_id', 'service'];

/** Returns the correlation in the form that the server accepts; undefined if nothing usable was given. */
export function cleanCorrelation(correlation: unknown): Record<string, CorrelationValue> | undefined {
  const given = attempt(() => (isKeyed(correlation) ? Object.keys(correlation) : [])) ?? [];
  const keys = [...GROUPING_KEYS.filter((key) => given.includes(key)), ...given];

  const clean = new Map<string, CorrelationValue>();
  for (const key of keys) {
    if (clean.size === MAX_CORRELATION_KEYS) break;
    const name = cleanText(key, MAX_CORRELATION_LENGTH);
    const value = read(correlation, key);
    if (name !== '' && value !== undefined) clean.set(name, cleanValue(value));
  }
  return clean.size > 0 ? Object.fromEntries(clean) : undefined;
}

/** Returns false for lists and bytes, too: they may have millions of keys without a meaning. */
function isKeyed(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function cleanValue(value: unknown): CorrelationValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return describe(value, MAX_CORRELATION_LENGTH);
}
