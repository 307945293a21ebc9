/* Values of OTLP/JSON, in which a number may be a text and the reverse, and any field may have any form. */

import { isObject, toList } from '../../platform/json/json-object.ts';

/** Returns the field of an object; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Returns the number that a value is, or that its text stands for; null: it is none. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : null;
}

/** Returns a text, number or boolean as text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Returns the `AnyValue` of an attribute in a list of `KeyValue`. */
export function findValue(list: unknown, key: string): unknown {
  const pair = toList(list).findLast((entry) => fieldOf(entry, 'key') === key);
  return fieldOf(pair, 'value');
}

/** Returns the text of an attribute in a list of `KeyValue`; null: it has none, or an empty one. */
export function findAttribute(list: unknown, key: string): string | null {
  const value = findValue(list, key);
  if (!isObject(value)) return null;
  return textOf(value.stringValue ?? value.intValue ?? value.boolValue ?? value.doubleValue) || null;
}

/** Milliseconds of a time in nanoseconds; null for 0, which stands for none. */
export function timeOf(value: unknown): number | null {
  const nanoseconds = numberOf(value);
  if (nanoseconds === null || nanoseconds <= 0) return null;
  // A number holds nanoseconds of today to within 128: less than this, and enough for a whole millisecond.
  const milliseconds = Math.floor(nanoseconds / 1e6 + 0.0005);
  return milliseconds <= MAX_TIME_MS ? milliseconds : null;
}

/** End of the year 9999, beyond which no time is written in four digits. */
const MAX_TIME_MS = Date.UTC(10_000, 0) - 1;
